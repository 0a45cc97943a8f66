"""The dataflow model: cases worked by hand, networks, grids."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.dataflow.model import (
    MAPPINGS,
    ArrayFigures,
    LayerShapes,
    elements_per_cycle,
    grid_costs,
    layer_costs,
    mapping_costs,
    shapes_of,
)
from engines.workloads.loader import builtin_network, builtin_workloads
from engines.workloads.network import Layer


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
    with pytest.raises(ProblemError, match="kcp_ws") as caught:
        mapping_costs("other", one(), ArrayFigures(16, 1))
    assert (caught.value.field, caught.value.got) == ("mapping", "other")
    with pytest.raises(ProblemError, match="shi-diannao"):
        layer_costs([layer()], "other", ArrayFigures(16, 1))


def test_kept_partial_sums_leave_once() -> None:
    # 1 cluster of 16; K=1, C=2, 2x1 pixels: outputs leave twice instead of four times (2 pixels x 2 channels).
    array = ArrayFigures(16, 1)
    rows, kept = (mapping_costs(name, one(c=2, y=2), array) for name in ("ykp_os_rows", "ykp_os_kept"))
    assert rows.level2_accesses[0] - kept.level2_accesses[0] == 2
    assert rows.cycles[0] == kept.cycles[0] == 14  # bound by the cluster, as worked by hand above


def test_yxp_os_by_hand() -> None:
    # 1 cluster of 8; K=C=1, 1x2 kernel, 1x4 pixels -> 3 outputs at once. Compute: 2 + message(4 + 2) = 8; first: 8 + 6 = 14.
    costs = mapping_costs("yxp_os", one(s=2, x=4), ArrayFigures(8, 1))
    assert costs.cycles[0] == 14
    assert costs.macs[0] == 6
    assert costs.utilisation[0] == pytest.approx(6 / (14 * 8))


def test_mappings_that_were_not_checked_say_so() -> None:
    said = {name for name, mapping in MAPPINGS.items() if "not checked against MAESTRO" in mapping.title}
    assert said == {name for name, mapping in MAPPINGS.items() if not mapping.checked}
    assert {"yxp_os", "ykp_os_kept", "ykp_os_rows"} == said


def test_a_grid_holds_what_its_points_cost_alone() -> None:
    shapes = shapes_of(
        [layer(k=70, c=33, stride=2), layer(kind="depthwise", k=32, c=1, depthwise=True), layer(k=1, y=3)]
    )
    mappings, sizes, bandwidths = list(MAPPINGS), [64, 256, 1000], [1.0, 16.0]
    grid = grid_costs(mappings, shapes, sizes, bandwidths, ArrayFigures(1, 1, hop_latency_cycles=2))
    assert grid.cycles.shape == (3, len(mappings), 3, 2)
    for m, mapping in enumerate(mappings):
        for p, size in enumerate(sizes):
            for b, bandwidth in enumerate(bandwidths):
                alone = mapping_costs(mapping, shapes, ArrayFigures(size, bandwidth, 2))
                for name in vars(alone):
                    assert getattr(grid, name)[:, m, p, b].tolist() == getattr(alone, name).tolist()


def test_units() -> None:
    assert elements_per_cycle(1e9, word_bits=16, clock_hz=500e6) == 1.0
    costs = mapping_costs("dpt", one(), ArrayFigures(1, 1))
    assert costs.latency_s(1e9)[0] == pytest.approx(costs.cycles[0] * 1e-9)
    assert costs.energy_j(0.5)[0] == pytest.approx(costs.energy_macs[0] * 0.5e-12)
    assert costs.level1_need_elements[0] == 6


@pytest.mark.parametrize(
    "slug", [slug for slug, content in builtin_workloads().items() if content["schema"] == "network/1"]
)
@pytest.mark.parametrize("dataflow", ["nvdla", "shi-diannao"])
def test_every_layer_of_the_zoo_does_its_own_macs(slug: str, dataflow: str) -> None:
    layers = builtin_network(slug).layers
    costs = layer_costs(layers, dataflow, ArrayFigures(4096, 256.0))
    assert costs.macs.tolist() == [layer.macs for layer in layers]
    assert ((costs.utilisation > 0) & (costs.utilisation <= 1)).all()
