"""What must hold for any layers: batches, bounds, additivity, monotony."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.cost.dataflow.model import MAPPINGS, ArrayFigures, LayerCosts, LayerShapes, grid_costs, mapping_costs

MAPPING = st.sampled_from(sorted(MAPPINGS))
CHANNELS = st.one_of(st.integers(1, 20), st.integers(1, 300), st.sampled_from([16, 64, 512]))
EXAMPLES = settings(max_examples=60, deadline=None)


@st.composite
def layers(draw: st.DrawFn, count: int = 6) -> LayerShapes:
    columns: dict[str, list[int]] = {name: [] for name in ("k", "c", "r", "s", "y", "x", "stride", "copies")}
    depthwise = []
    for _ in range(count):
        r, s = draw(st.integers(1, 9)), draw(st.integers(1, 9))
        values = (draw(CHANNELS), draw(CHANNELS), r, s, r + draw(st.integers(0, 40)), s + draw(st.integers(0, 40)))
        for name, value in zip(columns, (*values, draw(st.integers(1, 5)), draw(st.integers(1, 3))), strict=True):
            columns[name].append(value)
        depthwise.append(draw(st.booleans()))
    return LayerShapes(**{name: np.array(v) for name, v in columns.items()}, depthwise=np.array(depthwise))


ARRAYS = st.builds(
    ArrayFigures,
    st.integers(1, 5000),
    st.floats(0.25, 2000),
    st.sampled_from([0.0, 1.0, 3.0]),
    off_chip_bandwidth_elements_per_cycle=st.none() | st.floats(0.5, 100),
)


def values(costs: LayerCosts) -> dict[str, np.ndarray]:
    return {f.name: getattr(costs, f.name) for f in fields(costs)}


@EXAMPLES
@given(MAPPING, layers(), ARRAYS)
def test_a_batch_is_its_layers_one_by_one(mapping: str, shapes: LayerShapes, array: ArrayFigures) -> None:
    together = values(mapping_costs(mapping, shapes, array))
    for index in range(len(shapes)):
        for name, alone in values(mapping_costs(mapping, shapes.take(np.array([index])), array)).items():
            assert together[name][index] == alone[0]


@EXAMPLES
@given(MAPPING, layers(), ARRAYS)
def test_utilisation_and_energy(mapping: str, shapes: LayerShapes, array: ArrayFigures) -> None:
    costs = mapping_costs(mapping, shapes, array)
    assert ((costs.utilisation > 0) & (costs.utilisation <= 1)).all()
    parts = (costs.compute_energy_macs, costs.level1_energy_macs, costs.level2_energy_macs)
    assert all((part > 0).all() for part in parts)
    np.testing.assert_allclose(sum(parts), costs.energy_macs, rtol=1e-12)
    assert (costs.level1_need_elements > 0).all()
    assert (costs.level2_need_elements > 0).all()


@EXAMPLES
@given(MAPPING, layers(), ARRAYS, st.floats(1, 50))
def test_more_bandwidth_never_costs_time_nor_changes_energy(
    mapping: str, shapes: LayerShapes, array: ArrayFigures, factor: float
) -> None:
    narrow = mapping_costs(mapping, shapes, array)
    wide = replace(array, bandwidth_elements_per_cycle=array.bandwidth_elements_per_cycle * factor)
    faster = mapping_costs(mapping, shapes, wide)
    assert (faster.cycles <= narrow.cycles).all()
    assert (faster.energy_macs == narrow.energy_macs).all()
    without = replace(array, off_chip_bandwidth_elements_per_cycle=None)
    assert (mapping_costs(mapping, shapes, without).cycles <= narrow.cycles).all()


@EXAMPLES
@given(
    layers(3),
    st.lists(st.integers(1, 5000), min_size=1, max_size=3),
    st.lists(st.floats(1, 300), min_size=1, max_size=3),
)
def test_a_grid_is_its_points(shapes: LayerShapes, sizes: list[int], bandwidths: list[float]) -> None:
    grid = grid_costs(sorted(MAPPINGS), shapes, sizes, bandwidths)
    for m, mapping in enumerate(sorted(MAPPINGS)):
        alone = mapping_costs(mapping, shapes, ArrayFigures(sizes[-1], bandwidths[0]))
        assert (grid.cycles[:, m, -1, 0] == alone.cycles).all()
        assert (grid.energy_macs[:, m, -1, 0] == alone.energy_macs).all()


def test_batches_larger_than_a_chunk() -> None:
    rng = np.random.default_rng(5)
    count = 20_000
    columns = {name: rng.integers(1, 40, count) for name in ("k", "c", "r", "s", "copies")}
    columns |= {"y": columns["r"] + 9, "x": columns["s"] + 9, "stride": rng.integers(1, 4, count)}
    shapes = LayerShapes(**columns, depthwise=rng.random(count) < 0.3)
    array = ArrayFigures(rng.integers(64, 999, count), rng.integers(1, 99, count).astype(float))
    together = mapping_costs("ykp_os", shapes, array)
    for begin in range(0, count, 6_000):
        part = slice(begin, begin + 6_000)
        alone = ArrayFigures(array.processing_elements[part], array.bandwidth_elements_per_cycle[part])
        assert (mapping_costs("ykp_os", shapes.take(part), alone).cycles == together.cycles[part]).all()
