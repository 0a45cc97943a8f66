from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.designs import Designs
from frontend.designs.run_designs import DesignCache, RunDesigns
from frontend.pages.compare.data import sides_of
from frontend.pages.compare.measures import metric_rows
from frontend.pages.run.run_reader import designs_of
from tests.support.stored_runs import People, computed_run
from webapp.comparisons.service import Entry


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


def test_the_certainty_of_a_design_is_that_of_the_units_that_it_uses(people: People) -> None:
    inputs = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}
    run = computed_run(people, {"engine": "soc-mapping", "inputs": inputs, "params": {"unmeasured": "datasheet"}})
    designs = designs_of(run)
    words = {}
    for number in np.flatnonzero(designs.is_baseline):
        certainty = designs.quantity("latency_s", int(number)).certainty
        words[str(designs.label[number])] = certainty.word if certainty else ""
    assert (words["CPU alone"], words["GPU alone"]) == ("data sheet", "calibrated")
    column = designs.quantity("latency_s").certainty
    assert column is not None and column.word == "data sheet" and "Designs without CPU: calibrated." in column.sentence
    (row,) = [
        each
        for each in metric_rows(sides_of([Entry(run, int(np.flatnonzero(designs.label == "GPU alone")[0]))]))
        if each.title == "Latency" and each.group == "Selected designs"
    ]
    assert row.certainties[0] is not None and row.certainties[0].word == "calibrated" and row.factors[0] > 1
