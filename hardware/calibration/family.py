"""Calibrations as a family of documents."""

from __future__ import annotations

from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.movable import calibration_figures, calibration_with
from hardware.calibration.schema import CalibrationDocument
from hardware.calibration.summary import calibration_words
from hardware.family import DocumentFamily

CALIBRATION = DocumentFamily(
    "soc-calibration",
    "calibration",
    "Calibration of a SoC",
    "Calibrations",
    load_calibration,
    calibration_words,
    CalibrationDocument,
    builtin_calibrations,
    movable=calibration_figures,
    moved=calibration_with,
)
