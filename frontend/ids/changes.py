"""Ids of the change log."""

from __future__ import annotations

from enum import StrEnum


class ChangesIds(StrEnum):
    """Components of the change log; those ending in `_TYPE` are the `type` of pattern-matching ids."""

    FILTER_TYPE = "changes-filter"
    OBJECT = "changes-object"
    RESULTS = "changes-results"
    EXPORT = "changes-export"
