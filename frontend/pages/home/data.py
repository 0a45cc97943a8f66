"""Data of the Home page: the team line and the rows of the runs table. No components."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, Sum
from django.utils import timezone

from engines.contract.bounded_cache import BoundedCache
from frontend.components.items.mark_filters import read_marks
from frontend.components.pictures.spark import thinned
from frontend.designs.run_words import (
    engine_title,
    input_titles,
    person_name,
    primary_quantity,
    quantities_of,
    run_state,
)
from frontend.figures.numbers import MISSING, ago, si
from frontend.pages.home.study_rows import deleted_studies, folded_rows, single_runs
from frontend.pages.words import initials
from webapp.annotations.marks import AskedMarks, marks_of, only_marked, tag_counts
from webapp.runs.bundles.import_mark import checked_words
from webapp.runs.models import Run, RunInput, StepRecord
from webapp.runs.service import visible_runs
from webapp.studies.values import FIELDS, RunRow, values_of
from webapp.teams.visibility import visible_projects

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from engines.contract.quantities import Quantity
    from webapp.teams.visibility import Principal

MOST_ROWS = 200
FILTERS = ("All", "Running", "Done", "Stopped", "Failed")
_FILTERED = {
    "Running": Q(status__in=("queued", "running", "importing")),
    "Done": Q(status="done"),
    "Stopped": Q(status="stopped"),
    "Failed": Q(status="failed") | Q(outcome="infeasible"),
}
EVERY = AskedMarks()
MOST_UNFOLDED = 12
# What a row is made of; the rest of a run would take most of the time of the page.
_SHOWN = (
    *FIELDS,
    *("title", "owner", "study", "imported", "engine", "engine_version", "params", "metrics", "hypervolume_reference"),
    *("attempt", "status", "wish", "outcome", "outcome_detail", "fraction", "stop_after_minutes", "computed_s"),
    *("created", "queued_at", "started", "finished"),
    *("owner__username", "owner__first_name", "owner__last_name"),
)
_sparks: BoundedCache[tuple[int, int, int, tuple[float, ...]], list[float]] = BoundedCache(4 * MOST_ROWS)
# All that can change of a run that has ended: while it is the same, so is the row, but for its marks and how long ago it ended.
_CHANGING = (
    *("pk", "status", "finished", "queued_at", "attempt", "step_number", "design_count", "wish", "outcome", "fraction"),
    *("stop_after_minutes", "computed_s", "title", "study_id"),
    *("owner__username", "owner__first_name", "owner__last_name"),
)
_key = attrgetter(*(name.replace("__", ".") for name in _CHANGING))
_ended: BoundedCache[tuple[Any, ...], dict[str, Any]] = BoundedCache(10 * MOST_ROWS)


@dataclass(frozen=True)
class AskedRuns:
    """Which runs the list shows, as it stands in the address.

    Attributes:
        kind: one of `FILTERS`.
        engine: name of the only one; "" for all.
        unfolded: numbers of the studies whose runs stand below them.
        marks: required tag or star of the runs.
    """

    kind: str = "All"
    engine: str = ""
    unfolded: tuple[int, ...] = ()
    marks: AskedMarks = EVERY


@dataclass(frozen=True)
class TeamLine:
    """The figures next to the project's name."""

    title: str
    running: int
    queued: int
    this_week: int
    evaluated: int
    total: int


@dataclass(frozen=True)
class HomeView:
    """The content of the Home page.

    Attributes:
        rows: rows of the table: runs, and studies in whose place their runs do not stand.
        digest: changes when anything of it does.
        tags: every tag, and how many runs have it.
        engines: name and title of every engine that has runs here, by title.
    """

    team: TeamLine
    rows: tuple[dict[str, Any], ...]
    digest: str
    tags: tuple[tuple[str, int], ...] = ()
    engines: tuple[tuple[str, str], ...] = ()

    @property
    def live(self) -> bool:
        """Whether something waits or runs."""
        return bool(self.team.running or self.team.queued)


def read_asked(query: Mapping[str, Any]) -> AskedRuns:
    """Return the query from an address or from the browser's storage; unreadable values are ignored."""
    kind = next((each for each in FILTERS if each == query.get("show")), "All")
    numbers = [part for part in str(query.get("open") or "").split(",") if part.isascii() and part.isdigit()]
    unfolded = tuple(dict.fromkeys(int(part[:18]) for part in numbers))[:MOST_UNFOLDED]
    return AskedRuns(kind, str(query.get("engine") or "")[:80], unfolded, read_marks(query))


def home_view(principal: Principal, asked: AskedRuns | None = None, now: datetime | None = None) -> HomeView:
    """Return the Home page for `principal`."""
    now = now or timezone.now()
    counted = counted_runs(principal, now)
    team = team_line(principal, counted)
    rows = tuple(run_rows(principal, asked or AskedRuns(), now))
    text = json.dumps([vars(team), rows], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    names = {row["engine"] for row in counted}
    engines = sorted(((name, engine_title(name)) for name in names), key=lambda each: each[1].lower())
    return HomeView(team, rows, digest, tuple(tag_counts(principal, "run")), tuple(engines))


def counted_runs(principal: Principal, now: datetime) -> list[dict[str, Any]]:
    """Return per engine and project the counts of the team line over all runs that `principal` sees, in one query."""
    # By project as well, so that SQLite takes the index that holds all of it (`runs_counted`) and reads no rows.
    rows = visible_runs(principal).order_by().values("engine", "project_id")
    found: Any = list(
        rows.annotate(
            running=Count("pk", filter=Q(status="running")),
            queued=Count("pk", filter=Q(status="queued")),
            this_week=Count("pk", filter=Q(created__gte=now - timedelta(days=7))),
            evaluated=Sum("evaluations", default=0),
            total=Count("pk"),
        )
    )
    return list(found)


def team_line(principal: Principal, counted: Sequence[Mapping[str, Any]]) -> TeamLine:
    """Return the counts of `counted_runs` together."""
    names = ("running", "queued", "this_week", "evaluated", "total")
    titles = list(visible_projects(principal).values_list("title", flat=True)[:2])
    figures = {name: sum(row[name] for row in counted) for name in names}
    return TeamLine(titles[0] if len(titles) == 1 else "All projects", **figures)


def run_rows(principal: Principal, asked: AskedRuns, now: datetime) -> list[dict[str, Any]]:
    """Return one row per run, starred ones first, then the newest, in a number of queries that does not grow with the rows.

    The runs of a study stand folded in one row, in the place of the newest of them; who asks for a tag or a star is shown every
    run that has it.
    """
    query = visible_runs(principal).filter(_FILTERED.get(asked.kind, Q()))
    query = query.filter(engine=asked.engine) if asked.engine else query
    if asked.marks != EVERY:
        runs = only_marked(principal, "run", query, asked.marks).order_by("-created", "-pk")[:MOST_ROWS]
        return _starred_first(_rows_of(principal, runs, now))
    gone = deleted_studies(principal)
    single = _rows_of(principal, query.filter(single_runs(gone)).order_by("-created", "-pk")[:MOST_ROWS], now)
    folded = folded_rows(
        principal, query.filter(study__isnull=False).exclude(study__in=gone), MOST_ROWS, best_values, now
    )
    rows = sorted([*single, *folded], key=lambda row: row["newest"], reverse=True)[:MOST_ROWS]
    return _unfolded(principal, _starred_first(rows), query, asked.unfolded, now)


def _starred_first(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: not row["star"])


def _unfolded(
    principal: Principal, rows: list[dict[str, Any]], query: QuerySet[Run], studies: Sequence[int], now: datetime
) -> list[dict[str, Any]]:
    """Return the rows with the runs of those studies below them."""
    wanted = [row["study"] for row in rows if row.get("study") in studies]
    if not wanted:
        return rows
    runs = query.filter(study__in=wanted).order_by("-created", "-pk")[:MOST_ROWS]
    below: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows_of(principal, runs, now):
        below[row["member"]].append(row | {"of": f"study-{row['member']}-open"})
    found: list[dict[str, Any]] = []
    for row in rows:
        members = below.get(row.get("study") or 0, [])
        # Another row for the table, which else would not draw it again.
        found += [row | {"id": f"{row['id']}-open", "unfolded": True} if members else row, *members]
    return found


def _rows_of(principal: Principal, query: QuerySet[Run], now: datetime) -> list[dict[str, Any]]:
    # Which ones first: a database sorts numbers sooner than whole rows.
    numbers = list(query.values_list("pk", flat=True))
    keys = {key[0]: key for key in Run.objects.filter(pk__in=numbers).order_by().values_list(*_CHANGING)}
    found = {number: row for number, key in keys.items() if (row := _ended.get(key)) is not None}
    runs = Run.objects.select_related("owner").only(*_SHOWN).in_bulk([each for each in keys if each not in found])
    for number, row in _new_rows(list(runs.values()), now).items():
        keys[number] = _key(runs[number])  # it may have changed since
        found[number] = row if runs[number].active else _ended.put(keys[number], row)
    marks = marks_of(principal, "run", numbers)
    return [
        found[number] | _age(keys[number], now) | {"tags": list(marks[number].tags), "star": marks[number].star}
        for number in numbers
        if number in found
    ]


def _age(key: tuple[Any, ...], now: datetime) -> dict[str, str]:
    """Return the time of the last change of the run with this key of `_CHANGING`."""
    _, status, finished, queued_at, *_rest = key
    changed = finished or (now if status == "running" else queued_at)
    return {"updated": ago(changed, now), "exact": changed.strftime("%Y-%m-%d %H:%M:%S UTC")}


def _new_rows(runs: Sequence[Run], now: datetime) -> dict[int, dict[str, Any]]:
    """Return the rows without marks and times."""
    titles, sparks, best = _titles([run.pk for run in runs]), _hypervolumes(runs), best_values(runs)
    return {run.pk: _row(run, titles.get(run.pk, {}), sparks.get(run.pk, []), best.get(run.pk), now) for run in runs}


def best_values(runs: Sequence[Run]) -> dict[int, float]:
    """Return the best value of each run's primary quantity; a run without any yet is not there.

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
        "newest": run.created.isoformat(),
        "member": run.study_id or 0,
    }


def _titles(run_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    by_run: dict[int, list[Any]] = defaultdict(list)
    for row in RunInput.objects.filter(run_id__in=run_ids).values("run_id", "slot", "slug", "content__title"):
        by_run[row["run_id"]].append(row)
    return {run_id: input_titles(rows) for run_id, rows in by_run.items()}


def _hypervolumes(runs: Sequence[Run]) -> dict[int, list[float]]:
    """Return up to `SPARK_POINTS` hypervolumes per run; kept in the process until the run takes another step."""
    keys = {run.pk: (run.pk, run.attempt, run.step_number, tuple(run.hypervolume_reference or ())) for run in runs}
    found = {run_id: _sparks.get(key) if key[2] else [] for run_id, key in keys.items()}
    missing = [run_id for run_id, values in found.items() if values is None]
    curves: dict[int, list[float]] = defaultdict(list)
    steps = StepRecord.objects.filter(run_id__in=missing, hypervolume__isnull=False).order_by("run_id", "number")
    for run_id, value in steps.values_list("run_id", "hypervolume"):
        curves[run_id].append(float(value or 0.0))
    new = {run_id: _sparks.put(keys[run_id], thinned(curves[run_id])) for run_id in missing}
    return {run_id: new[run_id] if values is None else values for run_id, values in found.items()}
