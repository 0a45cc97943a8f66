from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.encoding.result_json import to_json
from engines.contract.results import Curve, Result, Series, Table, TableColumn
from frontend.bridge import get_app
from webapp.runs.models import Run, RunResult, StepRecord

VIEWPORT = {"width": 1440, "height": 900}


def curve(points: int, name: str = "loss") -> Curve:
    x = np.arange(1, points + 1, dtype=np.float64)
    series = (Series("Largest", 1 / x, ""), Series("Smallest", 2 / x, ""))
    return Curve(name, "Training loss", x, "Epochs", "", series, role="progress")


def sizes() -> Table:
    return Table("sizes", "Sizes", (TableColumn("Layer", ("first",)),))


def report(run: Run, step: int, *results: Result) -> None:
    StepRecord.objects.create(run=run, number=step, attempt=1, fraction=0.1, evaluations=0, design_count=0)
    for result in results:
        content = to_json(result)
        RunResult.objects.create(run=run, name=result.name, type=content["type"], step_number=step, content=content)


def overview(run: Run) -> Any:
    """The place of the run's own results and what it says that stands there."""
    get_app()
    from frontend.pages.run.run_reader import designs_of
    from frontend.pages.run.states.own_results import own_results, place_of

    place, shown, _ = own_results(run, place_of(run, designs_of(run)), "light", VIEWPORT)
    return place, shown.data
