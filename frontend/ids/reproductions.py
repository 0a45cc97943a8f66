"""Ids of the pages about reproductions."""

from __future__ import annotations

from enum import StrEnum


class ReproductionIds(StrEnum):
    """Components of the page of one method; `ACTION_TYPE` is the `type` of pattern-matching ids."""

    ASKED = "reproduction-asked"
    BODY = "reproduction-body"
    JOB = "reproduction-job"
    ERROR = "reproduction-error"
    TICK = "reproduction-tick"
    STATE = "reproduction-state"
    ACTION_TYPE = "reproduction-action"
    FIGURE_TYPE = "reproduction-figure"
    PRINT = "reproduction-print"
