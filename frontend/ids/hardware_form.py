"""Ids of the page on which hardware is edited. Those ending in `_TYPE` are the `type` of pattern-matching ids."""

from __future__ import annotations

from enum import StrEnum


class HardwareFormIds(StrEnum):
    """Components of the page.

    Stores: `BASE`, `MESH`, `DRAFT`, `STORED` (what was saved last), `PINNED` (the version that is edited), `MIRRORED` (the text
    that was made of the form) and `READ` (what the text was last read as).
    """

    MODE = "hardware-mode"
    MODE_ERROR = "hardware-mode-error"
    FORM = "hardware-form"
    TEXT_CARD = "hardware-text-card"
    TEXT = "hardware-text"
    GUTTER = "hardware-gutter"
    BASE = "hardware-base"
    MESH = "hardware-mesh"
    GRID = "hardware-grid"
    CHIPLET_TYPE = "hardware-chiplet"
    CHIPLET_TITLE = "hardware-chiplet-title"
    SCOPE = "hardware-scope"
    SIZE_TYPE = "hardware-size"
    CELL_TYPE = "hardware-cell"
    FIGURE_TYPE = "hardware-figure"
    VALUE_TYPE = "hardware-value"
    UNIT_NAME = "hardware-unit-name"
    UNIT_LIKE = "hardware-unit-like"
    UNIT_ADD = "hardware-unit-add"
    UNIT_ERROR = "hardware-unit-error"
    UNIT_REMOVE_TYPE = "hardware-unit-remove"
    SIDES = "hardware-sides"
    SIDES_ERROR = "hardware-sides-error"
    DRAFT = "hardware-draft"
    PICTURE = "hardware-picture"
    FACTS = "hardware-facts"
    ERRORS = "hardware-errors"
    PROJECT = "hardware-project"
    WHERE = "hardware-where"
    SAVE = "hardware-save"
    SAVED = "hardware-saved"
    STORED = "hardware-stored"
    UNSAVED = "hardware-unsaved"
    OPENED = "hardware-opened"
    PINNED = "hardware-pinned"
    MIRRORED = "hardware-mirrored"
    READ = "hardware-read"
    REASON = "hardware-reason"
    DIFFERENCE = "hardware-difference"
    CHOICE_TYPE = "hardware-choice"
    DOWNLOAD = "hardware-download"
    DOWNLOAD_FILE = "hardware-download-file"
