"""Circles of waiting channels, on a ring of three one-way channels."""

import numpy as np
import pytest

from engines.simulation.noc.deadlock import circles, dependencies, first_cycle, layered

# Channel k leads from router k to the next; every route goes on around the ring.
NEXT, TARGET = np.array([[-1, 0, 0], [1, -1, 1], [2, 2, -1]]), np.array([1, 2, 0])


def test_what_waits_in_a_row_comes_free_and_a_circle_does_not() -> None:
    assert circles(3, [(0, 1), (1, 2)]) == ()
    assert circles(3, [(0, 1), (1, 2), (2, 0)]) == (0, 1, 2)
    # Channel 3 waits for the circle, and for nobody else.
    assert circles(5, [(0, 1), (1, 0), (3, 0)]) == (0, 1, 3)


def test_routes_depend_on_channels_that_they_take_in_a_row() -> None:
    assert dependencies(NEXT, TARGET, np.array([[0, 2]])) == {(0, 1)}
    assert dependencies(NEXT, TARGET, np.array([[0, 1], [1, 2], [2, 2]])) == set()
    assert dependencies(NEXT, TARGET, np.argwhere(NEXT >= 0)) == {(0, 1), (1, 2), (2, 0)}


def test_a_ring_can_deadlock_until_its_packets_are_parted() -> None:
    one = np.zeros((3, 3), dtype=np.int64)
    assert first_cycle(NEXT, TARGET, one) == (0, 1, 2)
    layers = layered(NEXT, TARGET, 2)
    assert sorted(np.unique(layers)) == [0, 1] and first_cycle(NEXT, TARGET, layers) == ()
    with pytest.raises(ValueError, match="more than 1 layers"):
        layered(NEXT, TARGET, 1)
