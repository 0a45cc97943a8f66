from __future__ import annotations

from hardware.calibration.device_figures import device_figures
from hardware.calibration.loader import calibration_content, load_calibration
from tests.engines.cost.copies_for_tests import fitted
from tests.engines.cost.soc_for_tests import board, calibration


def test_figures_as_fitted_travel_with_the_document() -> None:
    read = load_calibration(calibration_content(fitted()))
    assert read.device == device_figures(board())
    assert load_calibration(calibration_content(calibration())).device is None
