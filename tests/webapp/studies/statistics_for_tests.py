from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.designs import Designs, table_to_bytes
from webapp.runs.models import DesignChunk, Run
from webapp.studies.models import Study

GRID = {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2, 3]}


def give(run: Run, points: Sequence[tuple[float, float]], *, status: str = "done", origin: str = "search") -> None:
    """Store designs of that latency and energy as the run's."""
    count = len(points)
    if count:
        latency, energy = np.array(points, dtype=np.float64).T
        columns = {"latency_s": latency, "energy_j": energy, "spread": np.zeros(count)}
        labels = ("Other",) * count if origin == "baseline" else ()
        designs = Designs(columns, [{"x": [0.0] * 3}] * count, np.arange(count), (origin,) * count, labels)
        first = run.design_count
        DesignChunk.objects.create(
            run=run, number=first + count, first_index=first, count=count, step_number=1,
            scalars=table_to_bytes(designs.scalars_table()), decisions=table_to_bytes(designs.decisions_table()),
        )  # fmt: skip
    run.design_count += count
    run.status = status
    Run.objects.filter(pk=run.pk).update(status=status, design_count=run.design_count, step_number=1, attempt=1)


def runs(study: Study, steps: int) -> list[Run]:
    return list(study.runs.filter(params__steps=steps).order_by("seed"))
