import pytest

from hardware.silicon.loader import load_silicon_costs
from hardware.silicon.model import Effort, per_mm2
from tests.hardware.silicon_for_tests import silicon_content


def test_densities_are_converted_and_efforts_and_the_reticle_multiplied_out() -> None:
    assert per_mm2(2500.0) == pytest.approx(0.0025)
    assert Effort(front_end_usd=0.1, back_end_usd=0.4).usd == pytest.approx(0.5)
    assert load_silicon_costs(silicon_content(wafer__reticle_width_mm=26)).reticle_mm2 == pytest.approx(26 * 30)
