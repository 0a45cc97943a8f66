from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.designs import Designs
from frontend.designs.run_designs import DesignCache, RunDesigns


def test_the_cache_of_designs_keeps_as_many_runs_as_fit() -> None:
    def table(count: int) -> Designs:
        return Designs({"latency_s": np.ones(count)}, [{}] * count, np.arange(count), ["search"] * count)

    one = RunDesigns.empty((), "").extended(table(100)).nbytes
    cache = DesignCache(capacity_bytes=2 * one)
    read: list[str] = []

    def start(name: str) -> Any:
        return lambda: (read.append(name), RunDesigns.empty((), ""))[1]

    for name in ("a", "b", "c", "b", "a"):
        cache.get(name, 1, start(name), lambda after: table(0 if after else 100))
    assert read == ["a", "b", "c", "a"]
