"""The engine of adding-an-engine.md."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engines.contract.designs import Decisions, Designs
from engines.contract.engine import Context, Engine, EngineParams, Limit, Problem, Recorder, Step
from engines.contract.errors import DecisionError
from engines.contract.parameter_fields import limit, number
from engines.contract.quantities import Quantity


class RandomParams(EngineParams):
    """How many designs are drawn, and what they may need."""

    evaluations: int = number(200, (1, 1_000_000), "designs", "Evaluations", "Search", "Designs that are drawn.")
    energy_limit_j: float | None = limit("J", 1e9, "Energy, at most")


class RandomEngine(Engine[RandomParams]):
    """A random search for the share of the work that the faster of two units does."""

    name = "random-shares"
    title = "Random shares"
    summary = "Draws designs at random: the floor that every search must beat."
    source = "none"
    Params = RandomParams
    quantities = (
        Quantity("latency_s", "Latency", "s", "minimise", "objective", "2 - share."),
        Quantity("energy_j", "Energy", "J", "minimise", "objective", "1 + share squared."),
    )
    limits = (Limit("energy_limit_j", "energy_j", "energy", "J"),)

    def run(self, problem: Problem[RandomParams], ready: object, record: Recorder) -> Iterator[Step]:
        """Draw batch after batch; beside the count of the record there is nothing to keep for going on."""
        total, context = problem.params.evaluations, record.context
        while record.evaluations < total and not context.stop_requested():
            batch = range(record.evaluations, min(record.evaluations + 50, total))
            record.add(_designs([float(context.random("share", at).random()) for at in batch]))
            yield record.step(record.evaluations / total, f"{record.evaluations} of {total}", state={})

    def evaluate(self, problem: Problem, ready: object, decisions: Decisions, context: Context) -> Designs:
        """Return the same numbers again, from decisions alone."""
        shares: list[Any] = [decision.get("share") for decision in decisions]
        for share in shares:
            if not isinstance(share, float) or not 0 <= share <= 1:
                raise DecisionError("decision.share", share, "a number from 0 to 1")
        return _designs(shares)


def _designs(shares: Sequence[float]) -> Designs:
    values = np.array(shares)
    return Designs({"latency_s": 2 - values, "energy_j": 1 + values**2}, [{"share": share} for share in shares])
