from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs, table_to_bytes
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.support.live import LiveSite
from webapp.runs.inputs.problems import problem_of
from webapp.runs.models import DesignChunk, Run

GRID = {
    "engine": "toy",
    "params": {"steps": {"each": [1, 3]}, "designs_per_step": {"each": [2, 4, 6]}},
    "seeds": [1, 2, 3],
}


def do(run: Run, steps: int | None = None, baseline: float | None = None) -> None:
    """Store the designs of a run's first steps as a worker would; a baseline with that latency before them."""
    problem, count = problem_of(run), 0
    for number, step in enumerate(drive(get_engine(run.engine), problem, LocalContext(problem)), 1):
        if steps is not None and number > steps:
            break
        assert step.designs is not None
        designs = step.designs
        if number == 1 and baseline is not None:
            designs = Designs.concatenate([baseline_designs(baseline), designs])
        store(run, count, designs, number)
        count += len(designs)
    status = "done" if steps is None else "running"
    Run.objects.filter(pk=run.pk).update(status=status, step_number=number, design_count=count, attempt=1)


def baseline_designs(latency_s: float) -> Designs:
    columns = {"latency_s": np.array([latency_s]), "energy_j": np.array([0.5]), "spread": np.array([0.0])}
    return Designs(columns, [{"x": [0.0, 0.0, 0.0]}], np.array([0]), ("baseline",), ("All NVDLA",))


def store(run: Run, count: int, designs: Designs, step: int) -> None:
    DesignChunk.objects.create(
        run=run, number=count + len(designs), first_index=count, count=len(designs), step_number=step,
        scalars=table_to_bytes(designs.scalars_table()), decisions=table_to_bytes(designs.decisions_table()),
    )  # fmt: skip


def least(site: LiveSite, run: Run, quantity: str) -> float:
    return float(site.unbroken(run).columns[quantity].min())
