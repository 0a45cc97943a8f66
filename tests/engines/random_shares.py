"""The engine of adding-an-engine.md."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
    Composed,
    Context,
    Engine,
    EngineParams,
    InputKind,
    Limit,
    Plan,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.errors import DecisionError
from engines.contract.quantities import Quantity
from engines.contract.results import Breakdown, Result

BATCH = 50


class RandomParams(EngineParams):
    """How many designs are drawn, and what they may need."""

    evaluations: int = Field(
        200,
        ge=1,
        le=1_000_000,
        title="Evaluations",
        description="Designs that are drawn.",
        json_schema_extra={"unit": "designs", "group": "Search"},
    )
    energy_limit_j: float = Field(
        10.0, gt=0, title="Energy limit", description="What a design may need at most.", json_schema_extra={"unit": "J"}
    )


def evaluate_one(scale: float, share: float) -> tuple[float, float]:
    """Latency in seconds and energy in joules when `share` of the work is done by the faster unit."""
    return scale * (2.0 - share), scale * (1.0 + share * share)


class RandomEngine(Engine[RandomParams, float]):  # what `prepare` gives is a float: the scale
    """Draws shares."""

    name = "random-shares"
    title = "Random shares"
    summary = "Draws designs at random: the floor that every search must beat."
    source = "none"
    version = 1
    inputs: ClassVar = {
        "data": InputKind(
            "data", "Scale", "How much work there is.", lambda content: float(content["scale"]), required=False
        )
    }
    Params = RandomParams
    composed = (Composed("energy_j", "energy", "by part", "parts"),)  # what a figure is made of, in "Why?"
    explains = (Breakdown,)  # pages then leave out what needs a grid, a schedule or traces
    quantities = (
        Quantity("latency_s", "Latency", "s", "minimise", "objective", "Scale x (2 - share)."),
        Quantity("energy_j", "Energy", "J", "minimise", "objective", "Scale x (1 + share squared)."),
    )
    limits = (Limit("energy_limit_j", "energy_j", "energy", "J"),)
    tells = ("latency_s", "energy_j")  # the least of each so far goes with every step

    def prepare(self, problem: Problem[RandomParams]) -> float:
        """Before anything is stored, and once for all that follows: refuses, and builds what the search needs."""
        scale = problem.value("data", float) if "data" in problem.inputs else 1.0
        require(scale > 0, "inputs.data.scale", scale, "a positive number")
        return scale

    def plan(self, problem: Problem[RandomParams], ready: float) -> Plan:
        """For the form and the scheduler: cheap."""
        count = problem.params.evaluations
        return Plan(evaluations=count, memory_mb=100, time_s=(1e-5 * count, 1e-4 * count))

    def bounds(self, problem: Problem[RandomParams], ready: float) -> tuple[Bound, ...]:
        """What no design passes: a limit beyond it is told before the start."""
        return (Bound("energy_j", "Energy of any design", ready, "J"),)

    def run(self, problem: Problem[RandomParams], ready: float, record: Recorder) -> Iterator[Step]:
        """In a process of its own; the record counts evaluations and keeps what a stopped run needs to go on."""
        total, context = problem.params.evaluations, record.context
        while record.evaluations < total and not context.stop_requested():
            numbers = range(record.evaluations, min(record.evaluations + BATCH, total))
            record.add(self._designs(ready, [float(context.random("share", i).random()) for i in numbers], context))
            words = f"{record.evaluations} of {total}"
            yield record.step(record.evaluations / total, words, state={})  # beside the count there is nothing to keep

    def evaluate(self, problem: Problem[RandomParams], ready: float, decisions: Decisions, context: Context) -> Designs:
        """The same numbers again, from decisions alone."""
        return self._designs(ready, [self._share(decision) for decision in decisions], context)

    def explain(
        self, problem: Problem[RandomParams], ready: float, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Grid, schedule, traces, breakdowns of one design."""
        share = self._share(decision)
        parts = np.array([[ready, ready * share * share]])
        return (Breakdown("energy", "Energy", ("design",), ("idle", "busy"), parts, "J"),)

    def _share(self, decision: Mapping[str, Any]) -> float:
        share = decision.get("share")
        if not isinstance(share, float) or not 0 <= share <= 1:
            raise DecisionError("decision.share", share, "a number from 0 to 1")
        return share

    def _designs(self, scale: float, shares: Sequence[float], context: Context) -> Designs:
        values = np.array(context.executor.map(evaluate_one, scale, shares)).reshape(-1, 2)
        columns = {"latency_s": values[:, 0], "energy_j": values[:, 1]}
        return Designs(columns, [{"share": share} for share in shares])
