from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from engines.search.matching import match


def test_preferred_items_are_given_where_nobody_else_needs_them() -> None:
    assert match([[3, 1], [2]]).item == (3, 2)
    assert match([[1, 2], [1]]).item == (2, 1)


def test_parties_that_want_too_few_items_are_named() -> None:
    found = match([[5, 6], [1, 2], [1, 2], [2, 1]])
    assert (found.count, found.short) == (3, (1, 2, 3))
    assert match([[], [1]]).short == (0,)
    assert match([[1], [2]]).short == ()


@pytest.mark.parametrize("seed", range(60))
def test_no_assignment_serves_more_parties(seed: int) -> None:
    random = np.random.default_rng(seed)
    items, parties = 4, int(random.integers(1, 5))
    wanted = [[i for i in range(items) if random.random() < 0.4] for _ in range(parties)]
    found = match(wanted)
    given = [item for item in found.item if item is not None]
    assert len(set(given)) == len(given) == found.count
    assert all(item is None or item in wanted[party] for party, item in enumerate(found.item))
    padded = [*range(items), *([-1] * parties)]
    best = max(sum(i in wanted[p] for p, i in enumerate(order)) for order in set(permutations(padded, parties)))
    assert found.count == best
    if found.short:
        assert len({item for party in found.short for item in wanted[party]}) < len(found.short)
