"""An example engine: a random search for the share of work that an accelerator does next to a CPU.

The shares of both run at the same time: latency = max(share * W / A, (1 - share) * W / C), energy = the busy time of each unit
times its power.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from engines.contract.designs import Decisions, Designs
from engines.contract.engine import Context, Engine, EngineParams, Limit, Problem, Recorder, Step
from engines.contract.errors import DecisionError
from engines.contract.parameter_fields import limit, number
from engines.contract.quantities import Quantity
from engines.documents.input_kinds import slot
from paretoscope_example.accelerator import ACCELERATOR, Accelerator

CPU_OPERATIONS_PER_S, CPU_POWER_W = 50e9, 5.0
_BATCH = 50


class ShareParams(EngineParams):
    """The work, and how many designs are drawn."""

    work_gop: float = number(10.0, (0.001, 1e6), "GOP", "Work", "Workload", "Operations of one inference.")
    evaluations: int = number(200, (1, 1_000_000), "designs", "Evaluations", "Search", "Designs that are drawn.")
    energy_limit_j: float | None = limit("J", 1e9, "Energy, at most")


class AcceleratorShareEngine(Engine[ShareParams]):
    """A search that draws shares at random."""

    name = "accelerator-share"
    contract = 1
    title = "Accelerator share"
    summary = "Shares the work of an inference between an accelerator and a CPU."
    source = "none"
    inputs: ClassVar = {"hardware": slot(ACCELERATOR, "The accelerator.", preferred="example-accelerator")}
    Params = ShareParams
    quantities = (
        Quantity("latency_s", "Latency", "s", "minimise", "objective", "Time of the slower share."),
        Quantity("energy_j", "Energy", "J", "minimise", "objective", "Energy of both units while they work."),
    )
    limits = (Limit("energy_limit_j", "energy_j", "energy", "J"),)

    def run(self, problem: Problem[ShareParams], ready: object, record: Recorder) -> Iterator[Step]:
        """Draw batch after batch."""
        total, context = problem.params.evaluations, record.context
        while record.evaluations < total and not context.stop_requested():
            batch = range(record.evaluations, min(record.evaluations + _BATCH, total))
            record.add(_designs(problem, [float(context.random("share", at).random()) for at in batch]))
            yield record.step(record.evaluations / total, f"{record.evaluations} of {total}", state={})

    def evaluate(self, problem: Problem, ready: object, decisions: Decisions, context: Context) -> Designs:
        """Return the metrics of decisions."""
        shares: list[Any] = [decision.get("share") for decision in decisions]
        for share in shares:
            if not isinstance(share, float) or not 0 <= share <= 1:
                raise DecisionError("decision.share", share, "a number from 0 to 1")
        return _designs(problem, shares)


def _designs(problem: Problem[ShareParams], shares: Sequence[float]) -> Designs:
    accelerator: Accelerator = problem.values["hardware"]
    values, work = np.array(shares), problem.params.work_gop * 1e9
    accelerator_s = values * work / accelerator.operations_per_s
    cpu_s = (1 - values) * work / CPU_OPERATIONS_PER_S
    columns = {
        "latency_s": np.maximum(accelerator_s, cpu_s),
        "energy_j": accelerator_s * accelerator.power_w + cpu_s * CPU_POWER_W,
    }
    return Designs(columns, [{"share": share} for share in shares])
