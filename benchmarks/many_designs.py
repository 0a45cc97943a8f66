"""Runs of many designs in the real store, for benchmarks of pages and tests that look at them.

The designs are those of a real run, repeated with their values scattered, until there are as many as asked for.
`python -m benchmarks.many_designs 100000` stores a finished run on the site of the environment's settings and prints its
number; with a rate, `python -m benchmarks.many_designs 30000 1000`, it prints the number first and then stores 1,000 designs a
second, as a live run does.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.contract.designs import Designs

STEPS = 10
LIVE_STEPS_PER_S = 2


def store_run(count: int, per_second: int = 0) -> None:
    """Store a run of `count` designs and print its number; at `per_second` designs a second where that is not 0."""
    import django

    django.setup()
    from django.db import transaction

    from engines.contract.engine import Step
    from engines.running.runner.packing import pack_step
    from webapp.runs import claim, readers, service
    from webapp.runs.convergence import ConvergenceTracker
    from webapp.runs.design_chunks import stored_designs
    from webapp.runs.models import Run
    from webapp.runs.store import RunStore

    real = Run.objects.order_by("pk").first()
    assert real is not None
    designs = stored_designs(real.pk)
    assert designs is not None
    with transaction.atomic():
        run = service.create(real.owner, service.start_from(real), title=f"{count} designs")
        fence = claim.claim_created("benchmark", run)
    store, tracker = RunStore(fence), ConvergenceTracker(readers.quantities_of(run))
    store.rewind()
    steps = count * LIVE_STEPS_PER_S // per_second if per_second else STEPS
    if per_second:
        print(run.pk, flush=True)
    begun = time.monotonic()
    for number in range(1, steps + 1):
        part = scattered(designs, count // steps, number)
        if per_second:
            time.sleep(max(0.0, begun + number / LIVE_STEPS_PER_S - time.monotonic()))
            fence.renew()
        frame = pack_step(Step(number / steps, "", {"evaluations": number * len(part)}, part), number)
        tracker.add_chunks(frame.designs)
        store.store_step(number, frame, tracker.hypervolume, tracker.reference)
    store.finish(None)
    if not per_second:
        print(run.pk)


def scattered(designs: Designs, count: int, seed: int) -> Designs:
    """`count` of the designs with every value up to a tenth more, a few by half a per cent less, and their decisions as they are.

    So the front keeps about the shape and the size of the real one.
    """
    import numpy as np

    from engines.contract.designs import Designs as Table

    random = np.random.default_rng(seed)
    some = designs.take(random.integers(0, len(designs), count))
    return Table(
        columns={name: values * random.uniform(0.995, 1.1, count) for name, values in some.columns.items()},
        decisions=some.decisions,
        found_at_evaluation=np.arange((seed - 1) * count, seed * count),
        origin=("search",) * count,
    )


if __name__ == "__main__":
    store_run(*map(int, sys.argv[1:3]))
