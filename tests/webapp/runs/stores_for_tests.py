from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.running.runner.frame_parts import pack_step
from tests.support.live import LiveSite
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.storage.store import RunStore

NAMES = ("latency_s", "energy_j", "spread")


def designs(first: int, count: int, text: str = "") -> Designs:
    values = np.arange(first, first + count, dtype=float)
    return Designs(
        columns={name: values + offset for offset, name in enumerate(NAMES)},
        decisions=[{"x": [0.0, 0.0, 0.0], "n": int(value), "text": text} for value in values],
        found_at_evaluation=np.arange(first + 1, first + count + 1),
        origin=("search",) * count,
    )


def step(number: int, *, count: int = 3, checkpoint: bool = False, first: int | None = None, **fields: Any) -> Any:
    begin = (number - 1) * count if first is None else first
    return pack_step(
        Step(
            fraction=min(1.0, number / 100),
            message=f"Step {number}",
            metrics={"evaluations": number * count, "latency_s": 1.0 / number},
            designs=designs(begin, count) if count else None,
            checkpoint=f"checkpoint {number}".encode() if checkpoint else None,
            **fields,
        ),
        number,
    )


def begin(site: LiveSite) -> tuple[Run, RunStore]:
    run = site.start(steps=100)
    fencing_token = claim.claim_next("test", claim.Offer())
    assert fencing_token is not None and fencing_token.run_id == run.pk
    store = RunStore(fencing_token)
    assert store.rewind() is None
    return run, store
