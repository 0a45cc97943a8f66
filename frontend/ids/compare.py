"""Ids of the pages about comparisons."""

from __future__ import annotations

from enum import StrEnum


class CompareListIds(StrEnum):
    """Components of the list of comparisons."""

    TABLE = "comparisons-table"
    LOCATION = "comparisons-location"
    PICK = "comparisons-pick"
    OPEN = "comparisons-open"


class CompareIds(StrEnum):
    """Components of a comparison; those ending in `_TYPE` are the `type` of pattern-matching ids."""

    LOCATION = "compare-location"
    NUMBER = "compare-number"
    SEEN = "compare-seen"
    ENTRIES = "compare-entries"
    SELECTED = "compare-selected"
    CURSOR = "compare-cursor"
    FRONTS = "compare-fronts"
    FRONTS_REMARKS = "compare-fronts-remarks"
    FRONTS_SUMMARY = "compare-fronts-summary"
    FRONTS_TABLE = "compare-fronts-table"
    X_AXIS = "compare-x"
    Y_AXIS = "compare-y"
    LOG = "compare-log"
    METRICS = "compare-metrics"
    STRIPS = "compare-strips"
    STRIPS_CARD = "compare-strips-card"
    LEGEND = "compare-legend"
    TRACES = "compare-traces"
    GRID_TYPE = "compare-grid"
    WINDOW_TYPE = "compare-window"
    REMOVE_TYPE = "compare-remove"
    ADD = "compare-add"
    TITLE = "compare-title"
    AXES = "compare-axes"
    ACTION_TYPE = "compare-action"
    ERROR = "compare-error"
    EXPORT = "compare-export"
