"""Costs of accelerators with a dataflow, against the dataflow cost model itself, and the documents that describe them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.dataflow.model import MAPPINGS, ArrayFigures, mapping_costs, shapes_of
from engines.cost.soc.clocks import ClockSettings, highest_clocks
from engines.cost.soc.dataflow import DataflowCostModel
from engines.workloads.loader import builtin_network
from hardware.errors import HardwareError
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.schema import DataflowSection

NETWORK = builtin_network("magnas-pvig-m-products")


def device(**changes: Any) -> dict[str, Any]:
    """The built-in accelerators, with changes of DSA-k."""
    content = deepcopy(dict(builtin_socs()["three-dataflow-accelerators"]))
    content["units"]["dsa-k"] = {key: value for key, value in (content["units"]["dsa-k"] | changes).items() if value}
    return content


def test_costs_are_those_of_the_dataflow_model_in_seconds_and_joules() -> None:
    soc = load_soc(device(frequencies_mhz=[500]))
    model = DataflowCostModel(soc, NETWORK)
    costs = model.costs(model.operations, highest_clocks(soc), batch=2)
    wanted = mapping_costs("kcp_ws", shapes_of(NETWORK.layers), ArrayFigures(256, 16.0))
    rows = model.operations.runs
    assert rows.sum() == len(NETWORK.layers) == 104
    np.testing.assert_allclose(costs.latency_s[rows, 0, 0], 2 * wanted.cycles / 500e6)
    np.testing.assert_allclose(costs.energy_j[rows, 0, 0], 2 * wanted.energy_macs * 1e-12)
    assert not costs.latency_s[~rows].any() and not costs.energy_j[~rows].any() and not costs.reasons


@pytest.mark.parametrize(
    "slug", ["three-dataflow-accelerators-off-chip", "three-dataflow-accelerators-off-chip-sums-kept"]
)
def test_a_unit_with_an_off_chip_bandwidth_keeps_to_maestros_rule(slug: str) -> None:
    soc = load_soc(builtin_socs()[slug])
    model = DataflowCostModel(soc, NETWORK)
    rows = model.operations.runs
    costs = model.costs(model.operations, highest_clocks(soc))
    for column, unit in enumerate(soc.units.values()):
        assert unit.dataflow is not None
        with_rule, without = (
            mapping_costs(unit.dataflow.mapping, shapes_of(NETWORK.layers), figures)
            for figures in (
                ArrayFigures(256, 1000.0, off_chip_bandwidth_elements_per_cycle=50.0),
                ArrayFigures(256, 1000.0),
            )
        )
        np.testing.assert_allclose(costs.latency_s[rows, column, 0], with_rule.cycles / 1e9)
        np.testing.assert_allclose(
            costs.energy_j[rows, column, 0], without.energy_macs * 1e-12
        )  # it is about time alone
        assert with_rule.cycles.sum() > 1.5 * without.cycles.sum()


def test_a_hand_over_is_written_and_read_at_the_clock_of_the_memory() -> None:
    soc = load_soc(device())
    model = DataflowCostModel(soc, NETWORK)
    clocks = ClockSettings({name: np.array([hz[0]]) for name, hz in highest_clocks(soc).frequencies_hz.items()})
    handed = model.transitions(model.operations, clocks)
    elements = model.operations.output_elements
    np.testing.assert_allclose(handed.latency_s[:, 0], 2 * elements / 16e9)
    np.testing.assert_allclose(handed.energy_j[:, 0], 2 * elements * 18.61e-12)


def test_parts_of_the_time_add_up_to_it() -> None:
    soc = load_soc(device())
    model = DataflowCostModel(soc, NETWORK)
    clocks = highest_clocks(soc)
    for column, unit in enumerate(model.units):
        parts = model.time_parts_s(model.operations, clocks, unit)
        np.testing.assert_allclose(parts.sum(axis=1), model.costs(model.operations, clocks).latency_s[:, column, 0])
        assert (parts >= 0).all()


def test_what_an_accelerator_does_not_run_is_told() -> None:
    soc = load_soc(device(supported_operations=["conv"]))
    model = DataflowCostModel(soc, NETWORK)
    starts = model.operations.blocks()[1]
    costs = model.costs(model.operations, highest_clocks(soc), groups=starts, partial=True)
    assert not costs.supported[:, 0].all() and costs.supported[:, 1:].all()
    assert "dsa-k does not run" in next(iter(costs.reasons.values()))
    assert np.isinf(costs.latency_s[~costs.supported]).all()
    with pytest.raises(ProblemError, match="dsa-k does not run"):
        model.costs(model.operations, highest_clocks(soc))


def test_a_document_names_the_dataflows_of_the_cost_model() -> None:
    names = DataflowSection.model_json_schema()["properties"]["mapping"]["enum"]
    assert set(names) == set(MAPPINGS)


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"dataflow": None}, "units.dsa-k.dataflow"), ({"frequencies_mhz": None}, "units.dsa-k.frequencies_mhz")],
)
def test_all_units_have_a_dataflow_and_a_clock_or_none(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(HardwareError, match=told):
        load_soc(device(**changes))


def test_accelerators_share_a_memory_whose_accesses_cost_energy() -> None:
    content = device()
    del content["memory"]["access_energy_pj_per_byte"]
    with pytest.raises(HardwareError, match=r"memory\.access_energy_pj_per_byte"):
        load_soc(content)
