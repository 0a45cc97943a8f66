"""What the Home page shows: the team line and the rows of the runs table. No components."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, Sum
from django.utils import timezone

from engines.contract.recent import Recent
from frontend.figures.numbers import MISSING, ago, si
from frontend.pages.run.words import (
    engine_title,
    input_titles,
    person_name,
    primary_quantity,
    quantities_of,
    run_state,
)
from frontend.pages.words import initials
from webapp.runs.import_mark import checked_words
from webapp.runs.models import RunInput, StepRecord
from webapp.runs.service import visible_runs
from webapp.studies.values import FIELDS, RunRow, values_of
from webapp.talk.marks import AskedMarks, marks_of, only_marked, tag_counts
from webapp.teams.visibility import visible_projects

if TYPE_CHECKING:
    from engines.contract.quantities import Quantity
    from webapp.runs.models import Run
    from webapp.teams.visibility import Principal

MOST_ROWS = 200
SPARK_POINTS = 32
FILTERS = ("All", "Running", "Done", "Stopped", "Failed")
_FILTERED = {
    "Running": Q(status__in=("queued", "running", "importing")),
    "Done": Q(status="done"),
    "Stopped": Q(status="stopped"),
    "Failed": Q(status="failed") | Q(outcome="infeasible"),
}
EVERY = AskedMarks()
_sparks: Recent[tuple[int, int, int], list[float]] = Recent(4 * MOST_ROWS)


@dataclass(frozen=True)
class TeamLine:
    """The figures beside the project's name."""

    title: str
    running: int
    queued: int
    this_week: int
    evaluated: int
    total: int


@dataclass(frozen=True)
class HomeView:
    """Everything that the page shows; `digest` changes when anything of it does. `tags`: every tag and how many runs have it."""

    team: TeamLine
    rows: tuple[dict[str, Any], ...]
    digest: str
    tags: tuple[tuple[str, int], ...] = ()

    @property
    def live(self) -> bool:
        """Whether something waits or runs."""
        return bool(self.team.running or self.team.queued)


def home_view(
    principal: Principal, kind: str = "All", now: datetime | None = None, asked: AskedMarks = EVERY
) -> HomeView:
    """The Home page for `principal`; `kind` is one of `FILTERS`, `asked` says which tag or star the runs must have."""
    now = now or timezone.now()
    team = team_line(principal, now)
    rows = tuple(run_rows(principal, kind, now, asked))
    text = json.dumps([vars(team), rows], sort_keys=True, default=str)
    return HomeView(team, rows, hashlib.sha256(text.encode()).hexdigest()[:16], tuple(tag_counts(principal, "run")))


def team_line(principal: Principal, now: datetime) -> TeamLine:
    """Counts over all runs that `principal` sees, in one query."""
    figures = visible_runs(principal).aggregate(
        running=Count("pk", filter=Q(status="running")),
        queued=Count("pk", filter=Q(status="queued")),
        this_week=Count("pk", filter=Q(created__gte=now - timedelta(days=7))),
        evaluated=Sum("evaluations", default=0),
        total=Count("pk"),
    )
    titles = list(visible_projects(principal).values_list("title", flat=True)[:2])
    return TeamLine(titles[0] if len(titles) == 1 else "All projects", **figures)


def run_rows(principal: Principal, kind: str, now: datetime, asked: AskedMarks = EVERY) -> list[dict[str, Any]]:
    """One row per run, starred ones first, then the newest, in a number of queries that does not grow with the rows."""
    query = visible_runs(principal).select_related("owner").defer("problem", "platform", "plan")
    query = only_marked(principal, "run", query.filter(_FILTERED.get(kind, Q())), asked)
    runs = list(query.order_by("-created", "-pk")[:MOST_ROWS])
    marks = marks_of(principal, "run", [run.pk for run in runs])
    runs.sort(key=lambda run: not marks[run.pk].star)
    titles = _titles([run.pk for run in runs])
    sparks = _hypervolumes(runs)
    best = best_values(runs)
    return [
        _row(run, titles.get(run.pk, {}), sparks.get(run.pk, []), best.get(run.pk), now)
        | {"tags": list(marks[run.pk].tags), "star": marks[run.pk].star}
        for run in runs
    ]


def best_values(runs: Sequence[Run]) -> dict[int, float]:
    """The best value of each run's primary quantity; a run without any yet is not there.

    Engines report it with their steps where they like. Where one does not, the stored designs tell: the best of the search that
    meets every constraint, read in at most two queries per engine and kept until the run takes another step.
    """
    found: dict[int, float] = {}
    unreported: dict[tuple[Quantity, ...], list[tuple[int, str, RunRow]]] = defaultdict(list)
    for run in runs:
        quantity = primary_quantity(run)
        if (
            quantity is None or quantity.sense == "none"
        ):  # a count, such as that of compared values, is no better or worse
            continue
        reported = run.metrics.get(quantity.name)
        if reported is not None:
            found[run.pk] = reported
        elif run.design_count:
            row = RunRow(*(getattr(run, name) for name in FIELDS))
            unreported[quantities_of(run)].append((run.pk, quantity.name, row))
    for quantities, entries in unreported.items():
        known = values_of([row for _, _, row in entries], quantities)
        found |= {pk: known[pk].best[name] for pk, name, _ in entries if name in known[pk].best}
    return found


def _row(run: Run, titles: dict[str, str], spark: list[float], best: float | None, now: datetime) -> dict[str, Any]:
    state = run_state(run, now)
    quantity = primary_quantity(run)
    changed = run.finished or (now if run.status == "running" else run.queued_at)
    name = person_name(run.owner)
    return {
        "id": str(run.pk),
        "title": run.title,
        "engine": engine_title(run.engine),
        "hardware": titles.get("hardware", MISSING),
        "workload": titles.get("workload", MISSING),
        "spark": spark,
        "best": si(best, quantity.unit) if quantity and best is not None else MISSING,
        "bestOf": quantity.title if quantity and best is not None else "",
        "imported": checked_words(run),
        "state": state.word,
        "kind": state.kind,
        "fact": state.fact,
        "owner": name,
        "initials": initials(name),
        "updated": ago(changed, now),
        "exact": changed.strftime("%Y-%m-%d %H:%M:%S UTC"),
    }


def _titles(run_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    by_run: dict[int, list[Any]] = defaultdict(list)
    for row in RunInput.objects.filter(run_id__in=run_ids).values("run_id", "slot", "slug", "content__title"):
        by_run[row["run_id"]].append(row)
    return {run_id: input_titles(rows) for run_id, rows in by_run.items()}


def _hypervolumes(runs: Sequence[Run]) -> dict[int, list[float]]:
    """Up to `SPARK_POINTS` hypervolumes per run; kept in the process until the run takes another step."""
    keys = {run.pk: (run.pk, run.attempt, run.step_number) for run in runs}
    found = {run_id: _sparks.get(key) if key[2] else [] for run_id, key in keys.items()}
    missing = [run_id for run_id, values in found.items() if values is None]
    curves: dict[int, list[float]] = defaultdict(list)
    steps = StepRecord.objects.filter(run_id__in=missing, hypervolume__isnull=False).order_by("run_id", "number")
    for run_id, value in steps.values_list("run_id", "hypervolume"):
        curves[run_id].append(float(value or 0.0))
    new = {run_id: _sparks.put(keys[run_id], thinned(curves[run_id])) for run_id in missing}
    return {run_id: new[run_id] if values is None else values for run_id, values in found.items()}


def thinned(values: Sequence[float], most: int = SPARK_POINTS) -> list[float]:
    """At most `most` of `values`, evenly spread, first and last kept, rounded to what a sparkline can show."""
    if len(values) > most:
        values = [values[round(position * (len(values) - 1) / (most - 1))] for position in range(most)]
    return [float(f"{value:.5g}") for value in values]
