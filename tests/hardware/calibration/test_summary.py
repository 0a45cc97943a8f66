from __future__ import annotations

from dataclasses import replace

from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.summary import calibration_words


def test_a_calibration_is_told_by_its_device_and_its_errors() -> None:
    found = load_calibration(builtin_calibrations()["xavier-magnas"])
    errors = found.errors()
    assert errors is not None
    words = calibration_words(found)
    assert words.startswith(f"{found.soc}: {errors.rows} rows, ") and f"{errors.median:.1%} median error" in words
    assert calibration_words(replace(found, rows=())) == f"{found.soc}: no rows"
