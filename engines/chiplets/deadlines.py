"""Deadlines of the models of a scenario: which no schedule can meet, and which a schedule meets.

A batch arrives when the schedule starts. No search optimises deadlines: a run shows which designs meet them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.costs.scoring import MEMORY, Scorer
from engines.chiplets.problem.bounds import model_latency_s
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.engine import PlanCheck
from engines.contract.quantities import SHARE
from engines.contract.results import Table, TableColumn


def deadline_checks(tables: ScenarioTables) -> tuple[PlanCheck, ...]:
    """Return one check per deadline: the least latency of the model by itself on this package, and what it may take."""
    found = []
    for number, model in enumerate(tables.models):
        if model.deadline_s is not None:
            least = model_latency_s(tables, number)
            text = (
                f"{model.title}: deadline {model.deadline_s:.3g} s, at least {least:.3g} s with all chiplets to itself"
            )
            found.append(PlanCheck(least <= model.deadline_s, text))
    return tuple(found)


def deadline_table(
    tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer, starts: Sequence[float]
) -> tuple[Table, ...]:
    """Return a table of the end of each model with a deadline, with its slack as a share of the deadline; () without deadlines.

    Args:
        tables: the scenario on its package.
        schedule: schedule of all models.
        scorer: scorer of the schedule.
        starts: when each window starts, in seconds.
    """
    numbers = [number for number, model in enumerate(tables.models) if model.deadline_s is not None]
    if not numbers:
        return ()
    ends = np.array(_ends_s(tables, schedule, scorer, starts))[numbers]
    deadlines = np.array([tables.models[number].deadline_s for number in numbers], dtype=np.float64)
    columns = (
        TableColumn("Model", tuple(tables.models[number].title for number in numbers)),
        TableColumn("Ends after", ends, "s"),
        TableColumn("Deadline", deadlines, "s"),
        TableColumn("Slack", 1.0 - ends / deadlines, SHARE),
    )
    return (Table(name="deadlines", title="Deadlines", table_columns=columns),)


def _ends_s(tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer, starts: Sequence[float]) -> list[float]:
    """Return the time in s at which the last window of each model has its results."""
    ends = [0.0] * len(tables.models)
    location = [MEMORY] * len(tables.models)
    for start, window in zip(starts, schedule.windows, strict=False):
        scores = scorer.window(window, list(location))
        for placement, score in zip(window, scores, strict=True):
            ends[placement.model] = start + score.latency_s
            location[placement.model] = placement.path[-1]
    return ends
