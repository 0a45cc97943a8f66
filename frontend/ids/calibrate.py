"""Ids of the page that makes a calibration of measurements."""

from __future__ import annotations

from enum import StrEnum


class CalibrateIds(StrEnum):
    """Components of the page; those ending in `_TYPE` are the `type` of pattern-matching ids.

    `assets/calibrate.js` knows those of the files, the progress, the answer and the buttons.
    """

    SOC = "calibrate-soc"
    WORKLOAD = "calibrate-workload"
    UNIT = "calibrate-unit"
    PRECISION = "calibrate-precision"
    CLOCKS = "calibrate-clocks"
    CLOCK_TYPE = "calibrate-clock"
    FILES = "calibrate-files"
    HOW = "calibrate-how"
    BASE = "calibrate-base"
    BASE_HELP = "calibrate-base-help"
    FIT = "calibrate-fit"
    AGAIN = "calibrate-again"
    PROGRESS = "calibrate-progress"
    SAID = "calibrate-said"
    ANSWER = "calibrate-answer"
    RESULT = "calibrate-result"
    PICTURE = "calibrate-picture"
    RAIL_TYPE = "calibrate-rail"
    SAVE = "calibrate-save"
    SAVE_NEXT = "calibrate-save-next"
    SAVED = "calibrate-saved"
    TITLE = "calibrate-title"
    PROJECT = "calibrate-project"
