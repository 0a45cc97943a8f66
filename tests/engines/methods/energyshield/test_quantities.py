import pytest

from engines.contract.quantities import objectives_of
from engines.methods.energyshield.params import EnergyShieldParams
from engines.methods.energyshield.quantities import CHOICE, QUANTITIES


@pytest.mark.parametrize(
    ("safety", "driving", "columns"),
    [
        ("clearance", "tracking", {"energy_j", "clearance_m", "tracking_m"}),
        ("barrier", "both", {"energy_j", "least_barrier", "tracking_m", "progress_m_per_second"}),
    ],
)
def test_what_stands_for_safety_and_driving_is_chosen(safety: str, driving: str, columns: set[str]) -> None:
    params = EnergyShieldParams.model_validate({"safety": safety, "driving": driving})
    assert {each.name for each in objectives_of(CHOICE.roles(QUANTITIES, params))} == columns
