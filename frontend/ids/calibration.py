"""Ids of the page of a calibration."""

from __future__ import annotations

from enum import StrEnum


class CalibrationIds(StrEnum):
    """Components of the page."""

    DOCUMENT = "calibration-document"
    PICTURE = "calibration-picture"
