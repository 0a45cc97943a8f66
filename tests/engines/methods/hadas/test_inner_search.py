"""Exits and clocks of one backbone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engines.contract.fronts.non_dominated import non_dominated_costs
from engines.methods.hadas.inner_search import InnerOperators, exact_choices, points_of, rated
from engines.methods.hadas.params import HadasParams
from engines.search.ends.correctness import CorrelatedCorrectness, MeasuredCorrectness
from tests.engines.methods.hadas.inner_for_tests import GRID, search
from tests.engines.search.ends.test_paths import drawn


@pytest.mark.parametrize("most", [0, 200_000])
def test_where_ends_are_not_nested_the_bound_holds_for_every_choice(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.methods.hadas.inner_search._MOST_ENUMERATED", most)
    nested, costs = drawn(2, 6, len(GRID))
    right = np.random.default_rng(5).random((40, 6)) < nested.accuracy
    every = np.array([[*bits, True] for bits in product((False, True), repeat=5)])
    chosen, setting = np.repeat(every, len(GRID), axis=0), np.tile(np.arange(len(GRID)), len(every))
    for correctness in (MeasuredCorrectness(right), CorrelatedCorrectness(nested.accuracy, 0.5)):
        found = exact_choices(correctness, costs)
        points = points_of(correctness, costs, chosen, setting)
        for point in points[:, 1:]:
            assert ((found.bound <= point * (1 + 1e-9)).all(axis=1)).any()
        assert found.proven == bool(most)  # few choices are all looked at
        if most:
            best = points[non_dominated_costs(points)]
            assert found.points[np.lexsort(found.points.T)] == pytest.approx(best[np.lexsort(best.T)])


def test_what_the_published_search_sees_of_a_choice_by_hand() -> None:
    correctness, costs = drawn(1, 4, len(GRID))
    operators = InnerOperators(3, GRID, 10)
    genes = np.array([[1, 0, 1, 1, 2]])
    seen, points = rated(correctness, costs, HadasParams(), operators, genes)
    assert operators.setting(genes).tolist() == [5]
    assert operators.chosen(genes).tolist() == [[True, False, True, True]]
    reached = costs[0].prefixes([[1, 0, 1, 1]], [5])[0]
    assert seen.costs[0, 0] == pytest.approx(1 - correctness.accuracy[[0, 2]].mean())
    assert seen.costs[0, 1] == pytest.approx(reached[[0, 2]].mean())
    assert points[0, 0] == pytest.approx(1 - correctness.accuracy.max())


def test_dissimilarity_counts_what_exits_before_have() -> None:
    correctness, costs = drawn(1, 4, len(GRID))
    params, genes = HadasParams(fitness="dissimilarity", gamma=2.0), np.array([[1, 0, 1, 0, 0]])
    seen, _ = rated(correctness, costs, params, InnerOperators(3, GRID, 10), genes)
    first, third = correctness.accuracy[0], correctness.accuracy[2]
    assert seen.costs[0, 0] == pytest.approx(1 - (first + third * (1 - first) ** 2) / 2)


def test_operators_keep_to_the_number_of_exits_and_change_all_clocks_at_once() -> None:
    found = search(HadasParams(inner_evaluations=200, inner_population=20))
    exits = found.front.genes[:, :8].sum(axis=1)
    assert (exits >= 1).all() and (exits <= 7).all()
    assert len(np.unique(found.front.genes, axis=0)) == len(found.front.genes)
