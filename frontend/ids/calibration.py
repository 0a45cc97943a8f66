"""Ids of the page of a calibration."""

from __future__ import annotations

from enum import StrEnum


class CalibrationIds(StrEnum):
    """Components of the page; those ending in `_TYPE` are the `type` of pattern-matching ids: not every page has them."""

    DOCUMENT = "calibration-document"
    PICTURE = "calibration-picture"
    NEXT_TYPE = "calibration-next"
    NEXT_ACTION_TYPE = "calibration-next-action"
