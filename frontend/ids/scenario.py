"""Ids of the page on which scenarios are built. Those ending in `_TYPE` are the `type` of pattern-matching ids."""

from __future__ import annotations

from enum import StrEnum


class ScenarioIds(StrEnum):
    """Components of the page; `FORM` is the store of what was chosen."""

    LOCATION = "scenario-location"
    FORM = "scenario-form"
    DRAFT = "scenario-draft"
    ADD = "scenario-add"
    MODELS = "scenario-models"
    FIELD_TYPE = "scenario-field"
    WORK_TYPE = "scenario-work"
    REMOVE_TYPE = "scenario-remove"
    MISTAKES = "scenario-mistakes"
    TITLE = "scenario-title"
    SOURCE = "scenario-source"
    PROJECT = "scenario-project"
    WHERE = "scenario-where"
    SUMMARY = "scenario-summary"
    SAVE = "scenario-save"
    EXPLORE = "scenario-explore"
    SAVE_MINE_TYPE = "scenario-save-mine"
    SAVE_ERROR = "scenario-save-error"
