from __future__ import annotations

from engines.documents.input_kinds import calibration_slot, soc_slot, workload_slot
from hardware.soc.family import SOC


def test_a_slot_of_a_family_has_its_title_its_schema_and_its_loader() -> None:
    found = soc_slot("Which device.", "jetson-tx2")
    assert (found.title, found.schemas, found.preferred, found.required) == (
        SOC.title,
        (SOC.schema,),
        "jetson-tx2",
        True,
    )
    assert found.load is SOC.load


def test_a_scenario_may_be_a_single_network_and_a_calibration_left_out() -> None:
    found = workload_slot("Workload", "")
    assert found.takes("workload", "scenario/1") and found.takes("workload", "network/1")
    assert not calibration_slot("the built-in one").required
