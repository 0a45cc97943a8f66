"""Runs of many designs in the real store, for benchmarks of pages and tests that look at them.

The designs are those of a real run, repeated with their values scattered, until there are as many as asked for.
`python -m benchmarks.many_designs 100000` stores a finished run on the site of the environment's settings and prints its
number; with a rate, `python -m benchmarks.many_designs 30000 1000`, it prints the number first and then stores 1,000 designs a
second, as a live run does; with a count of steps, `python -m benchmarks.many_designs 1000000 0 1000`, it stores that many, each
with a checkpoint, and prints in a second line how long each took.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.contract.designs import Designs

STEPS = 10
CHECKPOINT_BYTES = 100_000
LIVE_STEPS_PER_S = 2


def store_run(count: int, per_second: int = 0, timed_steps: int = 0) -> None:
    """Store a run of `count` designs and print its number.

    Args:
        count: designs.
        per_second: at that rate; 0 for as fast as it goes.
        timed_steps: in so many steps with checkpoints, whose times are printed as JSON, in ms; 0 for few without.
    """
    import django

    django.setup()
    from django.db import transaction

    from engines.contract.engine import Step
    from engines.running.runner.frame_parts import pack_step
    from webapp.runs import service
    from webapp.runs.models import Run
    from webapp.runs.queue import claim
    from webapp.runs.results import readers
    from webapp.runs.storage.convergence import ConvergenceTracker
    from webapp.runs.storage.design_chunks import stored_designs
    from webapp.runs.storage.store import RunStore

    real = Run.objects.order_by("pk").first()
    assert real is not None
    designs = stored_designs(real.pk)
    assert designs is not None
    with transaction.atomic():
        run = service.create(real.owner, service.start_from(real), title=f"{count} designs")
        fencing_token = claim.claim_created("benchmark", run)
    store, tracker = RunStore(fencing_token), ConvergenceTracker(readers.quantities_of(run))
    store.rewind()
    steps = count * LIVE_STEPS_PER_S // per_second if per_second else timed_steps or STEPS
    checkpoint, took_ms = b"x" * CHECKPOINT_BYTES if timed_steps else None, []
    if per_second:
        print(run.pk, flush=True)
    begun = time.monotonic()
    for number in range(1, steps + 1):
        part = scattered(designs, count // steps, number)
        if per_second:
            time.sleep(max(0.0, begun + number / LIVE_STEPS_PER_S - time.monotonic()))
            fencing_token.renew()
        step = Step(number / steps, "", {"evaluations": number * len(part)}, part, checkpoint=checkpoint)
        frame = pack_step(step, number)
        stored = time.perf_counter()
        tracker.add_chunks(frame.designs)
        store.store_step(number, frame, tracker.hypervolume, tracker.reference)
        took_ms.append(1000 * (time.perf_counter() - stored))
    store.finish(None)
    if not per_second:
        print(run.pk)
    if timed_steps:
        print(json.dumps(took_ms))


def scattered(designs: Designs, count: int, seed: int) -> Designs:
    """Return `count` of the designs with values up to a tenth more, a few half a per cent less, and their unchanged decisions.

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
    store_run(*map(int, sys.argv[1:4]))
