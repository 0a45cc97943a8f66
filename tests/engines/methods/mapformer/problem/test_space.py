"""Mappings drawn, changed and listed."""

from itertools import product

import numpy as np
import pytest

from engines.methods.mapformer.problem.space import Space, at_even_clocks, even_levels
from engines.simulation.board import Mappings
from engines.simulation.steady_state import steady_state
from tests.engines.simulation.boards import board, drawn_board, mapping, network, unit


def rows_of(mappings: Mappings) -> set[tuple[int, ...]]:
    parts = [each.reshape(len(mappings), -1) for each in (mappings.ends, mappings.units, mappings.steps)]
    return {tuple(row) for row in np.concatenate(parts, axis=1).tolist()}


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_made_can_run_and_is_tidy(seed: int) -> None:
    random = np.random.default_rng(seed)
    one = drawn_board(random, networks=4, units=3, layers=7, clocks=3)
    space = Space(one, 3)
    drawn = space.drawn(random, 300)
    for made in (drawn, space.crowded(random, 300), space.changed(drawn, random), space.swept(drawn.take(np.array([0])), 1, random),
                 space.clocked(drawn.take(np.array([1])), random)):  # fmt: skip
        assert steady_state(one, made).valid.all()
        assert rows_of(space.tidied(made)) == rows_of(made)
        assert (made.ends[:, :, -1] == one.layers).all() and (np.diff(made.ends, axis=2) >= 0).all()


def test_neighbours_on_one_unit_are_joined_and_unused_units_off() -> None:
    space = Space(board([unit("a"), unit("b")], network("x", [[1.0, 1.0]] * 4)), 3)
    tidy = space.tidied(mapping([[1, 3, 4]], [[0, 0, 0]], [1, 1]))
    assert (tidy.ends.tolist(), tidy.units.tolist(), tidy.steps.tolist()) == ([[[4, 4, 4]]], [[[0, 0, 0]]], [[1, 0]])
    tidy = space.tidied(mapping([[0, 2, 4]], [[1, 0, 1]], [1, 1]))
    assert (tidy.ends.tolist(), tidy.units.tolist()) == ([[[2, 4, 4]]], [[[0, 1, 1]]])


def test_all_mappings_are_listed_once() -> None:
    """One network of 3 layers in at most 2 segments on 2 units: 2 whole, 2 cuts x 2 orders; 2 clocks of each used unit."""
    space = Space(board([unit("a", (1e9, 2e9)), unit("b", (1e9, 2e9))], network("x", [[1.0, 1.0]] * 3, clocks=2)), 2)
    listed = space.all()
    assert len(listed) == len(rows_of(listed)) == 2 * 2 + 4 * 4
    assert space.size >= len(listed)


def test_listed_are_all_that_can_be_drawn() -> None:
    random = np.random.default_rng(0)
    one = drawn_board(random, networks=2, units=2, layers=3, clocks=2)
    space = Space(one, 3)
    drawn = rows_of(space.changed(space.drawn(random, 4000), random))
    assert drawn <= rows_of(space.all())
    chains = {ends for ends in product(range(1, 4), repeat=2) if ends[0] <= ends[1]}
    assert len(chains) == 6


def test_all_used_units_go_down_together() -> None:
    space = Space(drawn_board(np.random.default_rng(1), 2, 2, 3, 4), 2)
    found = at_even_clocks(space, space.whole(np.array([[0, 0]]), space.counts[None]))
    assert even_levels(space) == 4
    assert found.steps.tolist() == [[4, 0], [3, 0], [2, 0], [1, 0]]
