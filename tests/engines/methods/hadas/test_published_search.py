"""The published search."""

from __future__ import annotations

import numpy as np

from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.published_search import PublishedInner
from tests.engines.methods.hadas.inner_for_tests import GRID
from tests.engines.search.ends.test_paths import drawn


def test_a_restored_search_goes_on_as_the_unbroken_one() -> None:
    params = HadasParams(inner_evaluations=160, inner_population=20)
    correctness, costs = drawn(0, 9, len(GRID))
    make = lambda: PublishedInner(correctness, costs, GRID, params, lambda at: np.random.default_rng([0, at]))  # noqa: E731
    first, second = make(), make()
    for _ in range(3):
        first.generation()
    second.restore(first.state)
    while not first.done:
        first.generation()
        second.generation()
    assert np.array_equal(first.front.genes, second.front.genes)
    assert np.array_equal(first.front.points, second.front.points)
