"""The dataflow model against MAESTRO's tables and against cases worked by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from engines.cost.dataflow import ArrayFigures, LayerShapes, layer_costs, mapping_costs, shapes_of
from engines.workloads.loader import builtin_network, builtin_workloads
from engines.workloads.network import Layer

DATA = Path(__file__).parents[2] / "data" / "maestro"
DIMENSIONS = ("k", "c", "r", "s", "y", "x", "stride")


def read(name: str) -> list[dict[str, str]]:
    with (DATA / name).open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def relative_errors(rows: list[dict[str, str]]) -> tuple[np.ndarray, np.ndarray]:
    """(cycles, energy) of the model over MAESTRO's, minus 1; one entry per row."""
    cycles, energy = [], []
    for row in rows:
        figures = {name: np.array([int(row[name])]) for name in DIMENSIONS}
        shapes = LayerShapes(**figures, depthwise=np.array([row["depthwise"] == "1"]), copies=np.array([1]))
        array = ArrayFigures(
            int(row["processing_elements"]),
            float(row["noc_bandwidth_elements_per_cycle"]),
            float(row["noc_hop_latency_cycles"]),
        )
        costs = mapping_costs(row["mapping"], shapes, array)
        assert costs.macs[0] == int(row["macs"])
        cycles.append(costs.cycles[0] / float(row["cycles"]) - 1)
        energy.append(costs.energy_macs[0] / float(row["energy_macs"]) - 1)
    return np.array(cycles), np.array(energy)


@pytest.mark.parametrize("mapping", ["kcp_ws", "ykp_os", "dpt"])
def test_stride_1_is_exact_in_cycles_and_in_the_printed_digits_of_energy(mapping: str) -> None:
    rows = [row for row in read("stride_1.csv") if row["mapping"] == mapping]
    assert len(rows) > 90
    assert {"fuzz", "Resnet50", "MobileNetV2"} <= {row["network"] for row in rows}
    cycles, energy = relative_errors(rows)
    assert np.count_nonzero(cycles) == 0
    assert np.abs(energy).max() < 1e-6  # two decimals are printed


@pytest.mark.parametrize(
    ("mapping", "stride", "rows", "exact", "largest"),
    [
        ("kcp_ws", 2, 25, 25, 0.0),
        ("kcp_ws", 4, 4, 3, 0.45),
        ("ykp_os", 2, 25, 23, 0.39),
        ("ykp_os", 4, 4, 3, 0.0001),
        ("dpt", 2, 42, 42, 0.0),
        ("dpt", 4, 4, 3, 0.19),
    ],
)
def test_strides_above_1_agree_as_far_as_the_docstring_says(
    mapping: str, stride: int, rows: int, exact: int, largest: float
) -> None:
    chosen = [row for row in read("strided.csv") if row["mapping"] == mapping and int(row["stride"]) == stride]
    cycles, _ = relative_errors(chosen)
    assert len(cycles) == rows
    assert np.count_nonzero(cycles == 0) == exact
    assert np.abs(cycles).max() <= largest


def one(**figures: int) -> LayerShapes:
    dimensions = {"k": 1, "c": 1, "r": 1, "s": 1, "y": 1, "x": 1, "stride": 1} | figures
    return LayerShapes(
        **{name: np.array([value]) for name, value in dimensions.items()},
        depthwise=np.array([False]),
        copies=np.array([1]),
    )


def test_kcp_ws_by_hand() -> None:
    # 2 clusters of 64; K=2, C=2, 1x1 kernel, 1x3 pixels; bandwidth 1, hop latency 1.
    # Step compute: 1 + message(2*2) = 1 + 4 = 5. First: 5 + message(2 + 4) = 11.
    # X step, twice: max(5, message(2) = 2, message(2) = 2) = 5.  Sum: 11 + 10 = 21.
    costs = mapping_costs("kcp_ws", one(k=2, c=2, y=1, x=3), ArrayFigures(128, 1))
    assert costs.cycles[0] == 21
    assert costs.macs[0] == 12


def test_ykp_os_by_hand() -> None:
    # 1 cluster of 16; K=1, C=2, 1x1 kernel, 2x1 pixels. Step compute: 1 + message(2) = 3.
    # First: 3 + message(1 + 1) = 5; C step per row: max(3, message(2), 1) = 3, twice; Y step: max(3, 1, 1) = 3. Sum 14.
    costs = mapping_costs("ykp_os", one(c=2, y=2), ArrayFigures(16, 1))
    assert costs.cycles[0] == 14


def test_dpt_by_hand() -> None:
    # C=3 on 2 elements: tiles of 2 and 1; K=2, one pixel. Compute 2. First: 2 + message(2 + 4) = 8; C step: max(2, 1 + 2, 2) = 3.
    costs = mapping_costs("dpt", one(k=2, c=3), ArrayFigures(2, 1))
    assert costs.cycles[0] == 11


def test_energy_by_hand() -> None:
    # K=C=1, one pixel, dpt: L2 reads 1+1, L2 writes 1+1 (in) + 1 (out), output reads 1 -> 6; L1: 4 x 1 MAC + 2 -> 6; MAC 1.
    costs = mapping_costs("dpt", one(), ArrayFigures(1, 1))
    assert costs.level2_accesses[0] == 6
    assert costs.level1_accesses[0] == 6
    assert costs.energy_macs[0] == pytest.approx(6 * 18.61 + 6 * 1.68 + 1)
    assert costs.utilisation[0] == pytest.approx(1 / costs.cycles[0])


def layer(**figures: object) -> Layer:
    values: dict[str, object] = dict.fromkeys(("macs", "weight_elements", "input_elements", "output_elements"), 0)
    values |= {"index": 0, "name": "l", "kind": "conv", "k": 8, "c": 4, "r": 3, "s": 3, "y": 10, "x": 10}
    values |= {"stride": 1, "depthwise": False, "groups": 1, "repeats": 1}
    return Layer(**(values | figures))  # type: ignore[arg-type]


def test_groups_and_repeats_multiply() -> None:
    array = ArrayFigures(256, 64)
    single = layer_costs([layer()], "nvdla", array)
    many = layer_costs([layer(groups=3, repeats=2)], "nvdla", array)
    assert many.cycles[0] == 6 * single.cycles[0]
    assert many.energy_macs[0] == 6 * single.energy_macs[0]
    assert many.macs[0] == 6 * single.macs[0]
    assert many.utilisation[0] == single.utilisation[0]


def test_a_gemm_is_a_convolution_with_one_column() -> None:
    gemm = shapes_of([layer(kind="gemm", k=64, c=128, r=1, s=1, y=12, x=1)])
    costs = mapping_costs("kcp_ws", gemm, ArrayFigures(4096, 256))
    assert costs.macs[0] == 12 * 128 * 64


def test_depthwise_layers_run_dpt_on_either_chiplet() -> None:
    array = ArrayFigures(256, 64)
    depthwise = layer(kind="depthwise", k=32, c=1, depthwise=True, groups=32)
    nvdla, shi = (layer_costs([depthwise, layer()], name, array) for name in ("nvdla", "shi-diannao"))
    assert nvdla.cycles[0] == shi.cycles[0]
    assert nvdla.macs[0] == 32 * 8 * 8 * 9
    assert nvdla.cycles[1] != shi.cycles[1]


def test_unknown_names_list_what_exists() -> None:
    with pytest.raises(ValueError, match="kcp_ws"):
        mapping_costs("other", one(), ArrayFigures(16, 1))
    with pytest.raises(ValueError, match="shi-diannao"):
        layer_costs([layer()], "other", ArrayFigures(16, 1))


@pytest.mark.parametrize(
    "slug", [slug for slug, content in builtin_workloads().items() if content["schema"] == "network/1"]
)
@pytest.mark.parametrize("dataflow", ["nvdla", "shi-diannao"])
def test_every_layer_of_the_zoo_does_its_own_macs(slug: str, dataflow: str) -> None:
    layers = builtin_network(slug).layers
    costs = layer_costs(layers, dataflow, ArrayFigures(4096, 256.0))
    assert costs.macs.tolist() == [layer.macs for layer in layers]
    assert ((costs.utilisation > 0) & (costs.utilisation <= 1)).all()
