from __future__ import annotations

from typing import Any

from engines.registry import get_engine
from frontend.pages.study.seeds import AskedSeeds, asked_statistics, seeds_view
from tests.webapp.studies.statistics_for_tests import give
from webapp.studies.models import Study

GRID = {
    "engine": "toy",
    "params": {"steps": {"each": [1, 2, 3]}, "designs_per_step": {"each": [4, 5]}},
    "seeds": [1, 2, 3, 4, 5],
}


def fill(seeded: Study, seeds: int = 5) -> None:
    """The more steps the better: no two groups overlap."""
    for run in seeded.runs.filter(params__designs_per_step=4, seed__lte=seeds):
        latency = 4.0 - run.params["steps"] + 0.01 * run.seed
        give(run, [(latency, 1.0), (latency / 2, 3.0)])


def drawn(seeded: Study) -> Any:
    found, shown = asked_statistics(seeded, AskedSeeds())
    return seeds_view(found, shown, seeded, get_engine("toy"), "light")
