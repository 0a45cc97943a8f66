"""Which designs are explained when a run ends, and for how long others are begun."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.results import Breakdown, Note
from engines.documents.problems import make_problem
from engines.running.context import LocalContext
from engines.running.explained_designs import (
    MOST_DESIGNS,
    designs_to_explain,
    explanations,
    pack_explanation,
    unpack_explanation,
)
from tests.support.toy_engine import QUANTITIES, ToyEngine


def designs(latency_s: list[float], energy_j: list[float], origin: tuple[str, ...] = ()) -> Designs:
    decisions = [{"x": [0.1 * row, 0.5, 0.5]} for row in range(len(latency_s))]
    columns = {"latency_s": np.array(latency_s), "energy_j": np.array(energy_j), "spread": np.zeros(len(latency_s))}
    return Designs(columns, decisions, np.arange(len(latency_s)), origin or ("search",) * len(latency_s))


def test_the_knee_is_first_and_then_the_best_ones_and_a_baseline() -> None:
    found = designs([1, 2, 9, 9, 8], [9, 2, 1, 9, 8], ("search",) * 4 + ("baseline",))
    assert designs_to_explain(found, QUANTITIES, "energy_j") == [1, 2, 0, 4]
    assert len(designs_to_explain(found, QUANTITIES, "energy_j")) <= MOST_DESIGNS
    assert designs_to_explain(Designs.empty(QUANTITIES), QUANTITIES, "energy_j") == []


def test_no_other_is_begun_when_the_time_is_over_and_a_refused_one_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine, problem, found = ToyEngine(), make_problem("toy", {}, {}), designs([1, 2, 9], [9, 2, 1])
    numbers = [number for number, _ in explanations(engine, problem, found, LocalContext(problem))]
    assert numbers == [1, 0, 2]
    ticks = count(step=6.0)
    late = explanations(engine, problem, found, LocalContext(problem), lambda: next(ticks))
    assert [number for number, _ in late] == [1]
    found.decisions[1]["x"] = "refused"  # type: ignore[index]
    assert [number for number, _ in explanations(engine, problem, found, LocalContext(problem))] == [0, 2]


def test_packed_results_come_back() -> None:
    results = (Breakdown("a", "A", ("b",), ("c",), np.array([[np.inf]]), "J"), Note("remark", "Remark", "ü"))
    again = unpack_explanation(pack_explanation(results))
    assert again[1] == results[1] and np.array_equal(again[0].values, results[0].values)  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="compressed text"):
        unpack_explanation(b"no such text")
    with pytest.raises(ValueError, match="line 1"):
        unpack_explanation(pack_explanation(results)[:-9])
