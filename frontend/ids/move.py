"""Ids of the page that moves or copies a thing to another project."""

from __future__ import annotations

from enum import StrEnum


class MoveIds(StrEnum):
    """Components of the page; `ACTION_TYPE` is the type of pattern-matching ids."""

    CONTENT = "move-content"
    PROJECT = "move-project"
    ACTION_TYPE = "move-action"
