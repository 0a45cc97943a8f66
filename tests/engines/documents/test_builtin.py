"""Built-in documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents, get_builtin
from engines.workloads.loader import load_scenario
from hardware.battery.loader import builtin_batteries, load_battery
from hardware.calibration.loader import load_calibration
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.package.loader import builtin_hardware, load_package
from hardware.radio.loader import builtin_radios, load_radio
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from hardware.soc.loader import builtin_socs, load_soc

LOADERS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "chiplet-package/1": load_package,
    "soc/1": load_soc,
    "sensor-node/1": load_sensor_node,
    "radio/1": load_radio,
    "battery/1": load_battery,
    "silicon-cost/1": load_silicon_costs,
    "chiplet-system/1": load_chiplet_system,
}


def test_all_built_ins_load_under_their_own_names() -> None:
    for slug, document in builtin_documents("hardware").items():
        assert LOADERS[document.content["schema"]](document.content).slug == slug == document.slug
    for slug, document in builtin_documents("workload").items():
        assert load_scenario(document.content).slug == slug == document.slug
    for slug, document in builtin_documents("calibration").items():
        calibration = load_calibration(document.content)
        assert calibration.slug == slug and calibration.soc in builtin_socs()


def test_no_two_kinds_of_hardware_share_a_name() -> None:
    readers = (
        builtin_hardware, builtin_socs, builtin_sensor_nodes, builtin_radios, builtin_batteries,
        builtin_chiplet_systems, builtin_silicon_costs,
    )  # fmt: skip
    assert len(builtin_documents("hardware")) == sum(len(read()) for read in readers)


def test_built_ins_are_version_one_and_differ() -> None:
    documents = [*builtin_documents("hardware").values(), *builtin_documents("workload").values()]
    assert {document.version for document in documents} == {1}
    assert len({document.content_hash() for document in documents}) == len(documents)


def test_kinds_without_built_ins_have_none() -> None:
    assert builtin_documents("start") == {}


def test_a_built_in_is_found_by_name() -> None:
    assert get_builtin("workload", "mlperf-scenario-4").content["schema"] == "scenario/1"


def test_an_unknown_name_lists_those_that_exist() -> None:
    with pytest.raises(ProblemError, match="simba-3x3-het-sides") as caught:
        get_builtin("hardware", "simba-9x9")
    assert (caught.value.field, caught.value.got) == ("hardware", "simba-9x9")
    with pytest.raises(ProblemError, match="none is built in"):
        get_builtin("start", "any")
