"""Ids of what shares a run, a study or a comparison."""

from __future__ import annotations

from enum import StrEnum


class ShareIds(StrEnum):
    """Components of the dialog. Types of pattern-matching ids: `ACTION_TYPE` of a button, `FIELD_TYPE` of a field."""

    OPEN = "share-open"
    DIALOG = "share-dialog"
    THING = "share-thing"
    BODY = "share-body"
    ACTION_TYPE = "share-action"
    FIELD_TYPE = "share-field"
