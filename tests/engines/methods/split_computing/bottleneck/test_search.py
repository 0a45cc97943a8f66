"""The blockwise search against trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engines.methods.split_computing.bottleneck.search import best_by_target, best_within


@pytest.mark.parametrize("seed", range(20))
def test_the_walk_finds_what_trying_everything_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    deviations = [random.random(4) for _ in range(4)]
    costs = [random.integers(1, 20, 4).astype(float) for _ in range(4)]
    target = float(random.integers(4, 70))
    every = [
        each for each in product(range(4), repeat=4) if sum(c[i] for c, i in zip(costs, each, strict=True)) <= target
    ]
    found = best_within(deviations, costs, target)
    if not every:
        assert found is None
        return
    assert found is not None
    assert sum(c[i] for c, i in zip(costs, found, strict=True)) <= target
    sums = [sum(d[i] for d, i in zip(deviations, each, strict=True)) for each in every]
    assert sum(d[i] for d, i in zip(deviations, found, strict=True)) == pytest.approx(min(sums))


def test_targets_go_from_the_original_blocks_to_the_cheapest() -> None:
    deviations, costs = [np.array([0.0, 0.5, 0.7])] * 2, [np.array([10.0, 5.0, 1.0])] * 2
    found = best_by_target(deviations, costs, 4)
    assert found[0] == (0, 0) and found[-1] == (2, 2) and len(set(found)) == len(found)
