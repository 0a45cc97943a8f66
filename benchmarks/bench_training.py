"""Training of the supernet that forms open with: the bundled digits, everything by default, from the start to the measured subnets.

It computes on one thread, as every run does, so that on a machine with a core to spare both times are the same; beside other work
the processor time says what a free core takes.
"""

from __future__ import annotations

import os
import sys
import time

from benchmarks.report import Figure, show, tell
from engines.contract.designs import Designs
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive

LIMIT_S = 300.0
_TOLD_EVERY_S = 30.0


def main() -> int:
    """Train once and print."""
    problem = make_problem("train-supernet", {}, {})
    engine, found, told = get_engine("train-supernet"), [], 0.0
    wall, processor = time.monotonic(), time.process_time()
    for step in drive(engine, problem, LocalContext(problem)):
        if step.designs is not None:
            found.append(step.designs)
        if time.monotonic() - told > _TOLD_EVERY_S:
            told = time.monotonic()
            tell(step.message)
    wall_s, processor_s = time.monotonic() - wall, time.process_time() - processor
    accuracies = Designs.concatenate(found).columns["accuracy_percent"]
    loads = "/".join(f"{each:.1f}" for each in os.getloadavg())
    tell(f"load of the machine over 1, 5 and 15 minutes: {loads}")
    figures = [
        Figure("training the digits supernet, time on the clock", wall_s, "s", LIMIT_S),
        Figure("training the digits supernet, processor time", processor_s, "s", LIMIT_S),
        Figure(f"best of {len(accuracies)} subnets, validation accuracy", float(accuracies.max()), "%"),
        Figure("median of them", float(sorted(accuracies)[len(accuracies) // 2]), "%"),
    ]
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
