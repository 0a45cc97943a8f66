from __future__ import annotations

from collections.abc import Generator

import msgpack
import numpy as np
import pytest

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.windows import evolutionary
from engines.chiplets.windows.evolutionary import evolutionary_search
from engines.chiplets.windows.options import WindowOptions
from engines.chiplets.windows.reconfig import assign_windows
from engines.chiplets.windows.resumable import SearchState, finished
from tests.engines.chiplets.cases import tables
from tests.engines.chiplets.windows.cases import MODELS


def test_from_every_pause_it_goes_on_to_the_same_mappings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolutionary, "_SCORES_PER_PAUSE", 1)
    built = tables(MODELS, {"n_splits": 0}, batch=3)
    problem = (built, assign_windows(built, 0)[0], [MEMORY] * 2, start_chiplets(built), Goal("edp"))

    def search(state: SearchState) -> Generator[SearchState, None, WindowOptions]:
        return evolutionary_search(6, 5, np.random.default_rng(7))(problem, state)

    states = [msgpack.packb(state) for state in search({})]
    assert 20 < len(states) <= 30  # equal first individuals count once
    best = finished(search({}))
    assert all(finished(search(msgpack.unpackb(state))) == best for state in states)
