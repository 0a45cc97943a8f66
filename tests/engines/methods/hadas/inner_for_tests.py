"""What tests of this folder share."""

from __future__ import annotations

import numpy as np

from engines.cost.soc.clocks import ClockSettings
from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.published_search import PublishedInner
from tests.engines.search.ends.test_paths import drawn

GRID = ClockSettings({"gpu": np.repeat([1e9, 2e9], 3), "memory": np.tile([1e9, 2e9, 3e9], 2)})


def search(params: HadasParams, ends: int = 9, seed: int = 0) -> PublishedInner:
    correctness, costs = drawn(seed, ends, len(GRID))
    found = PublishedInner(
        correctness, costs, GRID, params, lambda generation: np.random.default_rng([seed, generation])
    )
    while not found.done:
        found.generation()
    return found
