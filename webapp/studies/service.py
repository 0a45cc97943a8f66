"""Actions of people on studies: check, create, stop, continue, delete, follow. Pages, API and commands call these.

Every function takes the principal and asks `webapp.teams.visibility` what it may see and change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, Q, QuerySet

from engines.contract.titles import given_title
from webapp.changes.change_recorder import note
from webapp.limits.service import allowed_minutes, require_memory, require_minutes, require_room
from webapp.runs import wakeup
from webapp.runs.errors import ChangedProblemError
from webapp.runs.models import Run, RunInput
from webapp.runs.queue.learned_times import time_factor
from webapp.runs.service import (
    CONTINUABLE,
    inputs_of,
    queue_again,
    require_same_engine,
    target_project,
    unsaved_run,
    wish_stop_all,
)
from webapp.runs.signals import stored_many
from webapp.studies.cell_checks import CheckedStudy, check
from webapp.studies.document import Cell, Grid, cell_words, read_grid
from webapp.studies.models import Study
from webapp.teams.models import Project
from webapp.teams.permissions import Action, require
from webapp.teams.visibility import Principal, require_visible, visible

_INSERT_AT_ONCE = 200


@dataclass(frozen=True)
class Progress:
    """How many runs of a study stand where; `infeasible` are among `done`, `fraction` is the mean share of the work done."""

    total: int
    queued: int
    running: int
    stopped: int
    done: int
    failed: int
    infeasible: int
    fraction: float

    @property
    def live(self) -> bool:
        """Whether something waits or runs."""
        return bool(self.queued or self.running)

    @property
    def to_continue(self) -> int:
        """How many runs could be continued."""
        return self.stopped + self.failed


def create(
    principal: Principal,
    document: Any,
    project: Project | None = None,
    title: str | None = None,
    token: str | None = None,
    stored: Callable[[Study], None] | None = None,
) -> Study:
    """Check every cell, then store the study and all its runs in one transaction; workers are told afterwards.

    Args:
        principal: becomes the owner; an editor of the project.
        document: as `webapp.studies.document.read_grid` takes it.
        project: project of the study; by default the one that the document names, else the personal one.
        title: name for people; made of engine and size where left out.
        token: of what was shown before (`CheckedStudy.token`); by default nothing is compared.
        stored: called with the study in the transaction that stores it; what it raises leaves nothing stored.

    Raises:
        ProblemError: the document is wrong as a whole. CellError: one of its cells is.
        LimitReachedError: it goes beyond what the project or the person may have.
        ChangedProblemError: `token` represents something else than the document does now.
        NotVisible, NotAllowed: the project is unknown to `principal`, or `principal` only views it.
    """
    checked = check(principal, document)
    if token is not None and token != checked.token:
        raise ChangedProblemError
    target = target_project(principal, document, project)
    words = given_title(title, document.get("title"), default_title(checked.grid))
    owner_id = int(principal.pk or 0)
    require_memory(target.pk, owner_id, max(each.plan.memory_mb for each in checked.cells))
    minutes = allowed_minutes(target.pk, owner_id, checked.grid.stop_after_minutes)
    with transaction.atomic():
        require_room(target.pk, owner_id, runs=len(checked.cells), cells=len(checked.cells))
        study = Study.objects.create(
            project=target,
            owner_id=owner_id,
            title=words,
            engine=checked.grid.engine.name,
            engine_version=checked.grid.engine.version,
            document=checked.grid.document(words),
            titles=checked.titles,
        )
        _store_runs(study, checked, minutes)
        if stored is not None:
            stored(study)
        transaction.on_commit(wakeup.notify_workers)
        stored_many.send(Run, numbers=list(runs_of(study).values_list("pk", flat=True)))
    return study


def _store_runs(study: Study, checked: CheckedStudy, minutes: float | None) -> None:
    factor = time_factor(study.engine)
    for start in range(0, len(checked.cells), _INSERT_AT_ONCE):
        some = checked.cells[start : start + _INSERT_AT_ONCE]
        runs = [
            unsaved_run(
                each.problem,
                each.plan,
                factor,
                project=study.project,
                owner_id=study.owner_id,
                title=run_title(study.title, each.cell, checked.grid),
                study=study,
                cell=dict(each.cell),
                stop_after_minutes=minutes,
            )
            for each in some
        ]
        stored = Run.objects.bulk_create(runs)
        pairs = zip(stored, some, strict=True)
        RunInput.objects.bulk_create(row for run, each in pairs for row in inputs_of(run, each.problem))


def default_title(grid: Grid) -> str:
    """Return the engine and what is varied: "SCAR: 5 hardware × 10 workload × 3 seeds"."""
    factors = " × ".join(f"{len(axis.values)} {_axis_words(axis.name)}" for axis in grid.varying)
    return f"{grid.engine.title}: {factors}" if factors else f"{grid.engine.title}: one cell"


def _axis_words(name: str) -> str:
    return "seeds" if name == "seed" else name.partition(".")[2].replace("_", " ") or name


def run_title(title: str, cell: Cell, grid: Grid) -> str:
    """Return the title of a cell's run: its distinguishing values, then the title of the study, shortened if needed."""
    place = cell_words(cell, grid.varying)
    return f"{place} · {title}"[:200] if place else title


def visible_studies(principal: Principal) -> QuerySet[Study]:
    """Return the studies that `principal` may see, newest first, with owner and project."""
    return visible(principal, Study.objects.select_related("owner", "project"))


def get_study(principal: Principal, study_id: int | str) -> Study:
    """Return one study.

    Raises:
        NotVisible: there is none of that number, or `principal` may not see it.
    """
    return require_visible(principal, Study.objects.select_related("owner", "project"), pk=study_id)


def grid_of(study: Study) -> Grid:
    """Return the grid of a stored study, also where another version of its engine is installed by now.

    Raises:
        ProblemError: the engine is not installed any more.
    """
    return read_grid({**study.document, "version": None})


def stop_all(principal: Principal, study: Study) -> int:
    """Stop all runs of the study; return the number of requests. Ended runs stay unchanged.

    Raises:
        NotVisible, NotAllowed: `principal` does not see the study, or only views its project.
    """
    found = _wanted(principal, study, Action.RUN)
    count = wish_stop_all(runs_of(found))
    if count:
        note(found, "stopped", {"runs": ("", count)})
    return count


def continue_all(principal: Principal, study: Study) -> int:
    """Queue every stopped or failed run of the study again; how many there were.

    Raises:
        NotVisible, NotAllowed: as in `stop_all`.
        ProblemError: the installed engine has another version than the one that the study began with.
        LimitReachedError: so many runs at once go beyond what the project or the owner may have.
    """
    found = _wanted(principal, study, Action.RUN)
    require_same_engine(found.engine, found.engine_version)
    ended = runs_of(found).filter(status__in=CONTINUABLE)
    with transaction.atomic():
        waiting = list(ended.values_list("computed_s", flat=True))
        most = require_minutes(found.project_id, found.owner_id, min(waiting, default=0.0), None)
        require_room(found.project_id, found.owner_id, runs=len(waiting))
        left = ended if most is None else ended.filter(computed_s__lt=60.0 * most)
        count = queue_again(left, most)
        if count:
            note(found, "continued", {"runs": ("", count)})
        return count


def runs_of(study: Study) -> QuerySet[Run]:
    """Return the runs of a study but those that were deleted, which leave their cells empty."""
    return Run.objects.filter(study=study, deleted__isnull=True)


def progress(study: Study) -> Progress:
    """Return the counts by status, in one query."""
    return progress_of([study.pk])[study.pk]


def progress_of(study_ids: Iterable[int]) -> dict[int, Progress]:
    """Return study -> progress, in one query for all of them."""
    wanted = list(study_ids)
    counts = {name: Count("pk", filter=Q(status=name)) for name in Run.Status.values if name != Run.Status.IMPORTING}
    rows = (
        Run.objects.filter(study_id__in=wanted, deleted__isnull=True)
        .order_by()
        .values("study_id")
        .annotate(
            total=Count("pk"),
            infeasible=Count("pk", filter=Q(outcome=Run.Outcome.INFEASIBLE)),
            share=Avg("fraction"),
            **counts,
        )
    )
    found = dict.fromkeys(wanted, Progress(0, 0, 0, 0, 0, 0, 0, 0.0))
    for row in rows:
        facts: dict[str, Any] = dict(row)
        share, study_id = float(facts.pop("share") or 0.0), facts.pop("study_id")
        found[study_id] = Progress(**facts, fraction=share)
    return found


def _wanted(principal: Principal, study: Study, action: Action) -> Study:
    found = get_study(principal, study.pk)
    require(principal, action, found)
    return found
