"""Ids of the page of deleted things."""

from __future__ import annotations

from enum import StrEnum


class DeletedIds(StrEnum):
    """Components of the page; `ACTION_TYPE` is the `type` of pattern-matching ids."""

    CONTENT = "deleted-content"
    ACTION_TYPE = "deleted-action"
