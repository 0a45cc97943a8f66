"""Ids of the New run page."""

from __future__ import annotations

from enum import StrEnum


class NewIds(StrEnum):
    """Components of the New run page; those ending in `_TYPE` are the `type` of pattern-matching ids."""

    DRAFT = "new-draft"
    TITLE = "new-title"
    SECTIONS = "new-sections"
    CHOOSER = "new-chooser"
    FIND = "new-find"
    ENGINE_TYPE = "new-engine"
    PICK_TYPE = "new-pick"
    SELECT_TYPE = "new-select"
    DETAIL_TYPE = "new-detail"
    SLOT_ERROR_TYPE = "new-slot-error"
    PARAMETER_TYPE = "new-param"
    PARAMETERS = "new-parameters"
    CHANGED = "new-changed"
    RESET = "new-reset"
    STOP_AFTER = "new-stop-after"
    STOP_AFTER_HELP = "new-stop-after-help"
    SUMMARY = "new-summary"
    START = "new-start"
    START_ERROR = "new-start-error"
    COPY = "new-copy"
    COMMAND = "new-command"
    LOCATION = "new-location"
    MEND_TYPE = "new-mend"
    JUDGED = "new-judged"
    CHOOSING = "new-choosing"
    STARTING = "new-starting"
    AGAIN = "new-again"
    MEASURE_TYPE = "new-measure"
