"""The published search beside the exact front."""

from __future__ import annotations

from engines.methods.hadas.comparison import share_of
from engines.methods.hadas.inner_search import exact_choices
from engines.methods.hadas.params import HadasParams
from tests.engines.methods.hadas.inner_for_tests import GRID, search
from tests.engines.search.ends.test_paths import drawn


def test_the_published_search_never_beats_the_exact_front() -> None:
    correctness, costs = drawn(0, 9, len(GRID))
    exact, found = exact_choices(correctness, costs), search(HadasParams(inner_evaluations=700))
    static = costs[0].static().max(), costs[1].static().max()
    assert exact.proven
    for point in found.front.points[:, 1:]:
        assert ((exact.points[:, 1:] <= point * (1 + 1e-12)).all(axis=1)).any()
    assert 0.5 < share_of(found.front.points[:, 1:], exact.points[:, 1:], static) <= 1 + 1e-12
