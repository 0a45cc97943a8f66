"""Ids of the page of deleted things."""

from __future__ import annotations

from enum import StrEnum


class DeletedIds(StrEnum):
    """Components of the page; those ending in `_TYPE` are the `type` of pattern-matching ids."""

    CONTENT = "deleted-content"
    ACTION_TYPE = "deleted-action"
    BACK_TYPE = "deleted-back"
    BACK_SAID_TYPE = "deleted-back-said"
