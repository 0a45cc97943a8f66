"""A method of which 4 of 10 runs found nothing within the limit is not as good as one that always did (optuna/optuna#1647)."""

from __future__ import annotations

import numpy as np
import pytest

from engines.registry import get_engine
from webapp.studies import statistics
from webapp.studies.document import Axis
from webapp.studies.values import RunRow, RunValues


def test_runs_that_found_nothing_count_as_the_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = get_engine("soc-mapping")
    latency = next(each for each in engine.quantities if each.name == "latency_s")
    runs, best = [], {}
    for place, method in enumerate(("exact", "nsga2")):
        for seed in range(10):
            number = 10 * place + seed + 1
            cell = {"params.method": method, "seed": seed}
            runs.append(RunRow(number, cell, "done", "", "", 1.0, 1, 1, 800))
            nothing = method == "nsga2" and seed in (0, 4, 5, 8)
            best[number] = RunValues({} if nothing else {"latency_s": 0.005})
    monkeypatch.setattr(statistics, "fronts_of", lambda ended, _: {run.pk: np.empty((0, 2)) for run in ended})
    monkeypatch.setattr(statistics, "values_of", lambda ended, _: best)
    axis = Axis("params.method", ("exact", "nsga2"))
    found = statistics._grouped(tuple(engine.quantities), axis, {}, latency, runs)
    (pair,) = found.pairs
    assert pair.effect == pytest.approx(0.7, abs=1e-9)
    assert pair.p_value == pytest.approx(0.0867, abs=5e-5)
    assert [run.pk for run in found.groups[1].found_nothing] == [11, 15, 16, 19]
