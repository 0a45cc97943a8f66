"""What half-planes leave of a plane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.search.half_planes import HalfPlanes


def product(x, y):
    return x * y


def test_without_half_planes_the_corner_is_where_both_bounds_meet() -> None:
    assert HalfPlanes(2.0, 3.0).lowest(product) == (2.0, 3.0)


def test_a_half_plane_cuts_the_corner_off() -> None:
    left = HalfPlanes(1.0, 1.0)
    left.add(1.0, 1.0, 6.0)
    assert sorted(zip(*(found.round(9).tolist() for found in left.corners()), strict=True)) == [(1.0, 5.0), (5.0, 1.0)]
    assert left.lowest(product) in [(1.0, 5.0), (5.0, 1.0)]


def test_half_planes_along_an_axis_raise_its_bound() -> None:
    left = HalfPlanes(1.0, 1.0)
    left.add(2.0, 0.0, 8.0)
    left.add(0.0, 2.0, 10.0)
    assert left.lowest(product) == (4.0, 5.0)


def test_parallel_half_planes_leave_the_tighter_one() -> None:
    left = HalfPlanes(0.5, 0.5)
    left.add(1.0, 1.0, 4.0)
    left.add(2.0, 2.0, 6.0)
    x, y = left.lowest(product)
    assert x + y == pytest.approx(4.0)


@given(st.integers(0, 10**6))
def test_no_point_above_all_half_planes_is_below_the_lowest_corner(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.uniform(0.5, 9, (20, 2))
    left = HalfPlanes(*points.min(axis=0))
    for per_x, per_y in random.uniform(0.1, 1, (int(random.integers(1, 8)), 2)):
        left.add(per_x, per_y, float((points @ (per_x, per_y)).min()))
    for value in (product, lambda x, y: x**2 * y, lambda x, y: x + 3 * y):
        assert value(*left.lowest(value)) <= value(points[:, 0], points[:, 1]).min() * (1 + 1e-12)
