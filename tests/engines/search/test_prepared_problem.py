"""A prepared problem whose context measures what designs lack, with a search of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.designs import Decision
from engines.contract.engine import Context, EngineParams, File, Plan, Problem, Step
from engines.contract.quantities import Quantity
from engines.contract.results import Note, Result
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Columns, Own, Search
from engines.testing.conformance import designs_of


class Halves(PreparedProblem[EngineParams, tuple[float, float | None], float]):
    """Numbers; a design is one with its half, which only the context knows how to make."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def decode(self, decision: Decision) -> tuple[float, float | None]:
        return float(decision["number"]), None

    def encode(self, design: tuple[float, float | None]) -> Mapping[str, Any]:
        return {"number": design[0], "half": design[1]}

    def label(self, design: tuple[float, float | None]) -> str:
        return "even" if design[0] % 2 == 0 else ""

    def completed(
        self, designs: Sequence[tuple[float, float | None]], context: float
    ) -> list[tuple[float, float | None]]:
        return [(number, number * context) for number, _ in designs]

    def strategy(self) -> Own[tuple[float, float | None]]:
        def steps(search: Search[tuple[float, float | None]]) -> Iterator[Step]:
            search.record.add(search.evaluate([(3.0, None), (2.0, None)]))
            yield search.record.step(0.5, "Two evaluated", state={})
            search.words, search.results = "Nothing is left", (Note("own", "Own", "Of the search."),)
            search.files = (File("own.json", "application/json", b"{}"),)

        return Own(2, "Two numbers", "", steps)

    def evaluate(self, designs: Sequence[tuple[float, float | None]], context: float) -> Columns:
        return {"time_s": np.array([half for _, half in designs], dtype=np.float64)}

    def explain(self, design: tuple[float, float | None], context: float) -> tuple[Result, ...]:
        return ()

    def plan(self, evaluations: int) -> Plan:
        return Plan(evaluations, 1.0, (0.0, 1.0))

    def context_of(self, context: Context) -> float:
        return 0.5


class HalvesEngine(PreparedEngine[EngineParams]):
    """Two numbers."""

    name = title = summary = source = "halves"
    Params = EngineParams
    prepares = Halves
    quantities = (Quantity("time_s", "Time", "s", "minimise", "objective", "Half of the number."),)


def test_decisions_keep_what_the_context_measured_and_a_search_leaves_words_and_results_for_the_last_step() -> None:
    engine, problem = HalvesEngine(), Problem("halves", 1, {}, EngineParams(), 0)
    steps = list(drive(engine, problem, LocalContext(problem)))
    designs = designs_of(steps)
    assert [dict(each) for each in designs.decisions] == [{"number": 3.0, "half": 1.5}, {"number": 2.0, "half": 1.0}]
    assert designs.label == ("", "even") and designs.columns["time_s"].tolist() == [1.5, 1.0]
    assert steps[-1].message == "Nothing is left" and [each.name for each in steps[-1].results] == ["own"]
    assert [each.name for each in steps[-1].files] == ["own.json"]
    context = LocalContext(problem)
    again = engine.evaluate(problem, ready_of(engine, problem), [{"number": 2}], context)
    assert again.decisions[0] == {"number": 2.0, "half": 1.0} and again.label == ("even",)
