"""A calibration in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.calibration.model import SocCalibration


def calibration_words(calibration: SocCalibration) -> str:
    """Return the device, and how far the estimates are off: "jetson-tx2: 36 rows, 1.6% median error"."""
    errors = calibration.errors()
    return f"{calibration.soc}: " + (f"{errors.rows} rows, {errors.median:.1%} median error" if errors else "no rows")
