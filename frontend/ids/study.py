"""Ids of the pages about studies."""

from __future__ import annotations

from enum import StrEnum


class StudyListIds(StrEnum):
    """Components of the list of studies."""

    CARD = "studies-card"
    TABLE = "studies-table"
    EMPTY = "studies-empty"
    THERE = "studies-there"
    COUNT = "studies-count"
    DIGEST = "studies-digest"
    ASKED = "studies-asked"
    TICK = "studies-tick"
    LOCATION = "studies-location"


class StudyIds(StrEnum):
    """Components of the page of a study."""

    STUDY = "study-number"
    ROWS = "study-rows"
    COLUMNS = "study-columns"
    QUANTITY = "study-quantity"
    SELECTED = "study-selected"
    DIGEST = "study-digest"
    TICK = "study-tick"
    LOCATION = "study-location"
    HEADER = "study-header"
    PROGRESS = "study-progress"
    TABLE = "study-table"
    CELL = "study-cell"
    LEGEND = "study-legend"
    CSV = "study-csv"
    BY = "study-by"
    AT = "study-at"
    MEASURE = "study-measure"
    X_AXIS = "study-x"
    Y_AXIS = "study-y"
    SEEDS = "study-seeds"
    SEEDS_DIGEST = "study-seeds-digest"
    SEEDS_COMPARE = "study-seeds-compare"
    ACTION_TYPE = "study-action"
    ACTIONS = "study-actions"
    ACTION_ERROR = "study-action-error"


class NewStudyIds(StrEnum):
    """Components of the form of a new study; those ending in `_TYPE` are the `type` of pattern-matching ids."""

    ENGINE = "new-study-engine"
    SECTIONS = "new-study-sections"
    SLOT_TYPE = "new-study-slot"
    SLOT_ALL_TYPE = "new-study-slot-all"
    SLOT_ERROR_TYPE = "new-study-slot-error"
    PARAMETER_TYPE = "new-study-param"
    EACH_TYPE = "new-study-each"
    CONTROL_TYPE = "new-study-control"
    SEEDS = "new-study-seeds"
    SEEDS_HELP = "new-study-seeds-help"
    TITLE = "new-study-title"
    STOP_AFTER = "new-study-stop-after"
    STOP_AFTER_HELP = "new-study-stop-after-help"
    SUMMARY = "new-study-summary"
    DOCUMENT = "new-study-document"
    START = "new-study-start"
    START_ERROR = "new-study-start-error"
    ADDRESS = "new-study-address"
    JUDGED = "new-study-judged"
    CHOOSING = "new-study-choosing"
    STARTING = "new-study-starting"
    AGAIN = "new-study-again"
    LOCATION = "new-study-location"
