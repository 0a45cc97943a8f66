from __future__ import annotations

import numpy as np
import pytest

from engines.cost.dataflow.steps import tiles, written


@pytest.mark.parametrize(
    ("total", "units", "sizes"),
    [(10.0, 4.0, [(4.0, 2.0), (2.0, 1.0)]), (8.0, 4.0, [(4.0, 2.0)]), (3.0, 4.0, [(3.0, 1.0)])],
)
def test_tiles_of_a_loop_cover_it_once(total: float, units: float, sizes: list[tuple[float, float]]) -> None:
    found = [(float(tile.size[0]), float(tile.count[0])) for tile in tiles(np.array([total]), np.array([units]))]
    assert [(size, count) for size, count in found if size * count] == sizes


def test_where_a_loop_does_not_fill_the_array_one_output_is_left_out() -> None:
    active, total = np.array([3.0, 1.0, 4.0]), np.array([3.0, 1.0, 4.0])
    assert written(active, total, np.array([4.0, 4.0, 4.0])).tolist() == [2.0, 1.0, 4.0]
