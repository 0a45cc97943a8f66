"""Bits of weights and activations on arrays of one word: what scales with them, and what does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.tables import ModelTables, build_tables
from engines.contract.errors import ProblemError
from engines.cost.dataflow.element_widths import element_widths
from engines.cost.dataflow.model import ArrayFigures, mapping_costs, shapes_of
from engines.cost.device_fields import BITS
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.dataflow import DataflowCostModel
from engines.workloads.loader import builtin_network
from engines.workloads.network import Network, Scenario, ScenarioModel
from hardware.bits import bit_widths
from hardware.package.loader import builtin_hardware, load_package
from hardware.soc.loader import builtin_socs, load_soc

WORD = bit_widths("int8")
PACKAGE = load_package(builtin_hardware()["simba-3x3-het-sides-256"])
NETWORK = builtin_network("squeezenet1-0")
NAMES = [layer.name for layer in NETWORK.layers]


def tables(bits: str, network: Network = NETWORK, dram_rule: str = "package") -> ModelTables:
    scenario = Scenario(network.slug, network.title, (ScenarioModel(network, 1),), "")
    params = ScheduleParams.model_validate({"bits": bits, "dram_rule": dram_rule})
    return build_tables(PACKAGE, scenario, params).models[0]


def stating(weights: float, activations: float) -> Network:
    """The network whose operations all state their bits."""
    stated = [replace(each, weight_bits=weights, activation_bits=activations) for each in NETWORK.operations]
    return replace(NETWORK, operations=tuple(stated))


@pytest.mark.parametrize("dram_rule", ["package", "maestro"])
def test_the_devices_own_words_change_nothing_to_the_last_digit(dram_rule: str) -> None:
    usual, asked = tables("", dram_rule=dram_rule), tables("int8", dram_rule=dram_rule)
    for name in ("compute_s", "compute_j", "weight_bytes", "input_bytes", "layer_activation_bytes"):
        assert getattr(usual, name).tobytes() == getattr(asked, name).tobytes(), name
    array = ArrayFigures(256, 16.0)
    assert element_widths(NETWORK, NAMES, WORD).on(array) is array


def test_narrow_weights_with_scales_halve_traffic_and_leave_the_arithmetic() -> None:
    usual, narrow = tables(""), tables("w4a8-g128")
    share = (4 + 20 / 128) / 8
    np.testing.assert_allclose(narrow.weight_bytes, usual.weight_bytes * share)
    np.testing.assert_array_equal(narrow.input_bytes, usual.input_bytes)
    # On the chip the wider tensor counts: 8 bits, as before.
    np.testing.assert_array_equal(narrow.compute_s, usual.compute_s)
    np.testing.assert_array_equal(narrow.compute_j, usual.compute_j)


def test_only_accesses_of_the_shared_buffer_fall_below_a_word() -> None:
    shapes, array = shapes_of(NETWORK.layers), ArrayFigures(256, 16.0)
    usual = mapping_costs("kcp_ws", shapes, array)
    narrow = mapping_costs("kcp_ws", shapes, element_widths(NETWORK, NAMES, WORD, bit_widths("int4")).on(array))
    np.testing.assert_array_equal(narrow.cycles, usual.cycles)
    np.testing.assert_allclose(narrow.level2_energy_macs, usual.level2_energy_macs / 2)
    np.testing.assert_array_equal(narrow.level1_energy_macs, usual.level1_energy_macs)
    wide = mapping_costs("kcp_ws", shapes, element_widths(NETWORK, NAMES, WORD, bit_widths("w4a16")).on(array))
    half = mapping_costs("kcp_ws", shapes, replace(array, bandwidth_elements_per_cycle=8.0))
    np.testing.assert_array_equal(wide.cycles, half.cycles)
    for name, factor in (("level1_energy_macs", 2), ("level2_energy_macs", 2), ("compute_energy_macs", 1)):
        np.testing.assert_allclose(getattr(wide, name), factor * getattr(usual, name), err_msg=name)


def test_bits_that_the_network_states_count_unless_others_are_asked_for() -> None:
    stated = tables("", stating(4.0, 8.0))
    np.testing.assert_allclose(stated.weight_bytes, tables("").weight_bytes / 2)
    assert tables("int8", stating(4.0, 8.0)).weight_bytes.tolist() == tables("").weight_bytes.tolist()
    mixed = replace(NETWORK, operations=(stating(2.0, 8.0).operations[0], *NETWORK.operations[1:]))
    widths = element_widths(mixed, NAMES, WORD)
    assert widths.weight_bytes.tolist() == [0.25, *[1.0] * (len(NAMES) - 1)]


def test_weights_that_layers_share_have_the_bits_of_their_layer() -> None:
    layers = tuple(
        replace(layer, shared_weights=(("table", 100),) if layer.index in (2, 5) else ()) for layer in NETWORK.layers
    )
    shared = tables("nvfp4", replace(NETWORK, layers=layers)).shared
    assert [(use.before, use.layer, use.size_bytes) for use in shared] == [(2, 5, 56.25)]


def test_accelerators_of_a_device_count_bits_on_their_way_and_at_transitions() -> None:
    soc = load_soc(builtin_socs()["three-dataflow-accelerators"])
    usual, asked = DataflowCostModel(soc, NETWORK), DataflowCostModel(soc, NETWORK, bits="w4a16")
    clocks = highest_clocks(soc)
    handed = [model.transitions(model.operations, clocks) for model in (usual, asked)]
    np.testing.assert_allclose(handed[1].latency_s, 2 * handed[0].latency_s)
    np.testing.assert_allclose(handed[1].energy_j, 2 * handed[0].energy_j)
    costs = [model.costs(model.operations, clocks) for model in (usual, asked)]
    assert (costs[1].energy_j >= costs[0].energy_j).all() and (costs[1].latency_s >= costs[0].latency_s).all()
    assert (usual.precision, asked.precision) == ("int8", "w4a16")
    with pytest.raises(ProblemError, match=r"params\.bits"):
        DataflowCostModel(soc, NETWORK, bits="w5x")


@given(st.sampled_from(sorted(BITS)), st.sampled_from(sorted(BITS)))
def test_more_bits_never_cost_less(first: str, second: str) -> None:
    low, high = (bit_widths(each) for each in (first, second))
    if low.weights > high.weights or low.activations > high.activations:
        return
    narrow, wide = tables(first), tables(second)
    for name in ("compute_s", "compute_j", "weight_bytes", "input_bytes"):
        assert (getattr(narrow, name) <= getattr(wide, name) * (1 + 1e-12)).all(), name
