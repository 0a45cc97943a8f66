"""Every input that cannot be evaluated is named with its field, what was found and what is accepted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.dataflow.model import (
    ArrayFigures,
    LayerShapes,
    elements_per_cycle,
    grid_costs,
    mapping_costs,
    shapes_of,
)
from engines.workloads.network import Layer

ARRAY = ArrayFigures(256, 64.0)


def shapes(**changes: list[int]) -> LayerShapes:
    values = {"k": [8, 8], "c": [4, 4], "r": [3, 3], "s": [3, 3], "y": [10, 10], "x": [10, 10], "stride": [1, 1]}
    values |= {"copies": [1, 1]} | changes
    return LayerShapes(**{name: np.array(v) for name, v in values.items()}, depthwise=np.array([False, False]))


def layer(**changes: Any) -> Layer:
    values: dict[str, Any] = dict.fromkeys(("macs", "weight_elements", "input_elements", "output_elements"), 0)
    values |= {"index": 0, "name": "l", "kind": "conv", "k": 8, "c": 4, "r": 3, "s": 3, "y": 10, "x": 10}
    values |= {"stride": 1, "depthwise": False, "groups": 1, "repeats": 1}
    return Layer(**(values | changes))


@pytest.mark.parametrize(
    ("changes", "field", "got", "accepted"),
    [
        ({"k": [8, 0]}, "layers[1].k", 0, "a whole number from 1"),
        ({"stride": [0, 1]}, "layers[0].stride", 0, "a whole number from 1"),
        ({"copies": [1, -3]}, "layers[1].copies", -3, "a whole number from 1"),
        ({"c": [2**31, 1]}, "layers[0].c", 2**31, "2147483647"),
        ({"y": [10, 2]}, "layers[1].y", 2, "at least r"),
        ({"s": [11, 3]}, "layers[0].x", 10, "at least s"),
        ({"k": [8, 2**22], "c": [4, 2**22], "r": [3, 1], "s": [3, 1]}, "layers[1].macs", 2**44 * 100, "at most 2**49"),
        ({"copies": [2**30, 1], "k": [2**14, 1]}, "layers[0].macs", 2**30 * 2**14 * 4 * 9 * 64, "at most 2**49"),
    ],
)
def test_dimensions(changes: dict[str, list[int]], field: str, got: int, accepted: str) -> None:
    with pytest.raises(ProblemError, match="must be") as caught:
        mapping_costs("kcp_ws", shapes(**changes), ARRAY)
    assert (caught.value.field, caught.value.got) == (field, got)
    assert accepted in caught.value.accepted


def test_sizes_beyond_64_bits_are_refused_before_they_become_numbers_of_numpy() -> None:
    with pytest.raises(ProblemError) as caught:
        shapes_of([layer(), layer(c=2**70)])
    assert (caught.value.field, caught.value.got) == ("layers[1].c", 2**70)
    with pytest.raises(ProblemError, match=r"layers\[0\].y"):
        shapes_of([layer(y=0)])


def test_kinds_that_do_not_compute() -> None:
    with pytest.raises(ProblemError) as caught:
        shapes_of([layer(), layer(kind="pool")])
    assert (caught.value.field, caught.value.got) == ("layers[1].kind", "pool")
    assert "depthwise" in caught.value.accepted


def test_columns_of_another_length_or_type() -> None:
    with pytest.raises(ProblemError, match=r"layers\.c: must be one value per layer \(2\)"):
        mapping_costs("kcp_ws", replace(shapes(), c=np.array([1])), ARRAY)
    with pytest.raises(ProblemError, match=r"layers\.c: must be an array of whole numbers"):
        mapping_costs("kcp_ws", replace(shapes(), c=np.array([1.5, 2.0])), ARRAY)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"processing_elements": 0}, "array.processing_elements"),
        ({"processing_elements": 2.5}, "array.processing_elements"),
        ({"bandwidth_elements_per_cycle": 0.0}, "array.bandwidth_elements_per_cycle"),
        ({"bandwidth_elements_per_cycle": np.array([1.0, np.nan])}, "array.bandwidth_elements_per_cycle"),
        ({"bandwidth_elements_per_cycle": np.inf}, "array.bandwidth_elements_per_cycle"),
        ({"hop_latency_cycles": -1}, "array.hop_latency_cycles"),
        ({"level1_access_energy_macs": 0.0}, "array.level1_access_energy_macs"),
        ({"off_chip_bandwidth_elements_per_cycle": 0}, "array.off_chip_bandwidth_elements_per_cycle"),
    ],
)
def test_figures_of_the_array(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        mapping_costs("kcp_ws", shapes(), replace(ARRAY, **changes))
    assert caught.value.field == field


def test_figures_of_the_array_are_one_per_layer() -> None:
    with pytest.raises(
        ProblemError, match=r"array\.processing_elements: must be a number or one value per layer \(2\)"
    ):
        mapping_costs("kcp_ws", shapes(), ArrayFigures(np.array([64, 64, 64]), 1.0))


def test_axes_of_a_grid() -> None:
    with pytest.raises(ProblemError, match="processing_elements: must be a list of at least one value"):
        grid_costs(["dpt"], shapes(), [], [1.0])
    with pytest.raises(ProblemError, match=r"mappings\[1\]"):
        grid_costs(["dpt", "other"], shapes(), [64], [1.0])
    with pytest.raises(ProblemError, match=r"array\.word_bits"):
        elements_per_cycle(1e9, 0, 1e9)


def test_no_layers_cost_nothing() -> None:
    assert mapping_costs("kcp_ws", shapes().take(slice(0, 0)), ARRAY).cycles.shape == (0,)
