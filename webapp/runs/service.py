"""Actions on runs: start, stop, continue. `documents.problem_from_document` and `planning.plan_of` check and plan before.

Every function takes the principal and asks `webapp.teams.visibility` what it may see and change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Max, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Least, Now

from engines.contract.designs import canonical_json
from engines.contract.encoding.plan_json import plan_to_json
from engines.contract.engine import Plan, Problem
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.contract.titles import given_title
from engines.registry import get_engine
from engines.running.time_limits import minutes_words, read_minutes
from webapp.changes.change_recorder import note
from webapp.limits.service import allowed_minutes, require_memory, require_minutes, require_room
from webapp.runs import wakeup
from webapp.runs.errors import ChangedProblemError, RunStateError
from webapp.runs.inputs.documents import default_title, problem_from_document
from webapp.runs.inputs.measurement_hooks import read_measure
from webapp.runs.inputs.planning import plan_of
from webapp.runs.models import Checkpoint, Run, RunInput
from webapp.runs.queue.learned_times import expected_s, time_factor
from webapp.teams.models import Project
from webapp.teams.permissions import Action, require
from webapp.teams.visibility import Principal, personal_project, require_visible, visible

CONTINUABLE = (Run.Status.STOPPED, Run.Status.FAILED)


@dataclass(frozen=True)
class Continuation:
    """How a continued run continues.

    Attributes:
        run: the run, queued again.
        from_step: number of the step after which it continues; 0 = from the beginning.
        design_count: designs that are kept.
        text: the same in one sentence for people.
    """

    run: Run
    from_step: int
    design_count: int
    text: str


def token_of(problem: Problem, minutes: Any, measure: Any = None) -> str:
    """Return a token of the start: documents' content, parameters, seed, engine's version, time limit, measurements."""
    return f"{problem.hash()} {minutes}" + (f" {canonical_json(measure)}" if measure else "")


def start(
    principal: Principal,
    document: Mapping[str, Any],
    project: Project | None = None,
    title: str | None = None,
    parent: Run | None = None,
    priority: int = 0,
    token: str | None = None,
    stored: Callable[[Run], None] | None = None,
) -> Run:
    """Store a run and ring the bell once it is committed.

    Args:
        principal: becomes the owner; an editor of the project.
        document: the problem document.
        project: project of the run; by default the one that the document names, else the personal one.
        title: name for people; made of engine and inputs where left out.
        parent: the run that this one was started from; must be visible to `principal`.
        priority: higher goes first.
        token: of what was shown before (`token_of`); by default nothing is compared.
        stored: called with the run in the transaction that stores it; what it raises leaves nothing stored.

    Raises:
        ProblemError: the document cannot be run.
        LimitReachedError: it goes beyond what the project or the person may have.
        ChangedProblemError: `token` represents something else than the document does now.
        NotVisible, NotAllowed: the project is unknown to `principal`, or `principal` only views it.
    """
    run = create(principal, document, project, title, parent, priority, token, stored)
    transaction.on_commit(wakeup.notify_workers)
    return run


def create(
    principal: Principal,
    document: Mapping[str, Any],
    project: Project | None = None,
    title: str | None = None,
    parent: Run | None = None,
    priority: int = 0,
    token: str | None = None,
    stored: Callable[[Run], None] | None = None,
) -> Run:
    """Return `start` without the bell, for a command that takes the run itself."""
    problem = problem_from_document(principal, document)
    if token is not None and token != token_of(problem, document.get("stop_after_minutes"), document.get("measure")):
        raise ChangedProblemError
    target = target_project(principal, document, project)
    if parent is not None:
        require_visible(principal, Run.objects.all(), pk=parent.pk)
    owner_id, estimate = int(principal.pk or 0), plan_of(problem)
    require_memory(target.pk, owner_id, estimate.memory_mb)
    run = unsaved_run(
        problem,
        estimate,
        time_factor(problem.engine),
        project=target,
        owner_id=owner_id,
        title=given_title(title, document.get("title"), default_title(problem)),
        parent=parent,
        priority=priority,
        stop_after_minutes=allowed_minutes(target.pk, owner_id, read_minutes(document.get("stop_after_minutes"))),
        measure=read_measure(principal, get_engine(problem.engine), document.get("measure")),
    )
    with transaction.atomic():
        require_room(target.pk, owner_id, runs=1)
        run.save(force_insert=True)
        RunInput.objects.bulk_create(inputs_of(run, problem))
        if stored is not None:
            stored(run)
    return run


def unsaved_run(problem: Problem, estimate: Plan, factor: float = 1.0, **fields: Any) -> Run:
    """Return the row of a checked problem, not stored yet; `fields` are not of the problem, `factor` is `time_factor`'s."""
    return Run(
        engine=problem.engine,
        engine_version=problem.version,
        params=problem.params.model_dump(mode="json"),
        seed=problem.seed,
        problem=problem.canonical(),
        problem_hash=problem.hash(),
        plan=plan_to_json(estimate),
        needs=",".join(sorted(estimate.needs)),
        estimated_s=expected_s(estimate.time_s, factor),
        **fields,
    )


def request_stop(principal: Principal, run: Run) -> Run:
    """Wish that a run stops. One that waits is stopped at once; one at work within two seconds, by its keeper.

    Asking again, or asking a run that has ended, changes nothing.

    Raises:
        NotVisible, NotAllowed: `principal` does not see the run, or only views its project.
    """
    return wish_stop(_editable(principal, run))


def wish_stop(run: Run) -> Run:
    """Return `request_stop` for callers that have permissions of their own (Django's admin)."""
    status, wish = run.status, run.wish
    asked = wish_stop_all(Run.objects.filter(pk=run.pk))
    run.refresh_from_db()
    if asked and wish != run.wish:
        note(run, "stopped", {"status": (status, run.status)})
    return run


def wish_stop_all(runs: QuerySet[Run]) -> int:
    """Stop these runs; ended runs stay unchanged. Return the number of runs that were asked to stop."""
    queued = When(status=Run.Status.QUEUED, then=Value(Run.Status.STOPPED))
    # One statement: between two, a keeper might take the run or give it back, and the wish would be lost.
    return runs.filter(status__in=(Run.Status.QUEUED, Run.Status.RUNNING)).update(
        wish=Run.Wish.STOP,
        status=Case(queued, default=F("status")),
        finished=Case(When(status=Run.Status.QUEUED, then=Now()), default=F("finished")),
    )


def continue_run(
    principal: Principal, run: Run, more_minutes: float | None = None, *, without_limit: bool = False
) -> Continuation:
    """Queue a stopped or failed run again. It continues after its last checkpoint, or from the beginning if it has none.

    A run that reached its time limit continues for as long again unless something else is said; any other meets its limit.

    Args:
        principal: an editor of the run's project.
        run: the run.
        more_minutes: minutes of computing from now on, whatever its limit was.
        without_limit: it continues without a time limit.

    Raises:
        NotVisible, NotAllowed: as in `request_stop`.
        RunStateError: the run is neither stopped nor failed.
        ProblemError: the installed engine has another version than the one that the run began with, or the run was imported:
            its checkpoint stayed behind; or `more_minutes` is no number of minutes.
        LimitReachedError: the run, its owner or its project has no room for it.
    """
    more = read_minutes(more_minutes, "more_minutes")
    found = _editable(principal, run)
    if found.imported:
        ways = ["Start a new run from it."]
        raise ProblemError("run", "imported from another installation", "a run of this installation", remedies=ways)
    require_same_engine(found.engine, found.engine_version)
    most = require_minutes(found.project_id, found.owner_id, found.computed_s, more)
    with transaction.atomic():
        if not found.active:
            require_room(found.project_id, found.owner_id, runs=1)
        limit: dict[str, Any] = {}
        if more is not None or without_limit:
            limit["stop_after_minutes"] = most if more is None else F("computed_s") / 60.0 + more
        was = copy(found)
        changed = queue_again(Run.objects.filter(pk=found.pk), most, **limit)
        found.refresh_from_db()
        if not changed:
            raise RunStateError("continue", found.status, tuple(status.value for status in CONTINUABLE))
        limits = (was.stop_after_minutes, found.stop_after_minutes)
        note(found, "continued", {"status": (was.status, found.status), "stop_after_minutes": limits})
    return _continuation(found)


def queue_again(runs: QuerySet[Run], most_minutes: float | None = None, **fields: Any) -> int:
    """Queue those of these runs that stopped or failed; how many there were. The bell rings after the commit.

    Those that reached their time limit may compute for as long again, but never beyond `most_minutes` in all, unless `fields`
    say otherwise.
    """
    # In seconds, as `Run.time_limit_reached` compares: minutes come back from seconds with a last digit of their own.
    reached = Q(computed_s__gte=F("stop_after_minutes") * 60.0)
    again = When(reached, then=F("computed_s") / 60.0 + F("stop_after_minutes"))
    limit: Any = Case(again, default=F("stop_after_minutes"))
    if most_minutes is not None:
        limit = Least(Coalesce(limit, Value(most_minutes)), Value(most_minutes))
    fields = {"stop_after_minutes": limit} | fields
    changed = runs.filter(status__in=CONTINUABLE).update(
        status=Run.Status.QUEUED,
        wish=Run.Wish.RUN,
        outcome=Run.Outcome.NONE,
        outcome_detail={},
        attempts_without_checkpoint=0,
        attempt_reasons=[],
        finished=None,
        queued_at=Now(),
        **fields,
    )
    if changed:
        transaction.on_commit(wakeup.notify_workers)
    return changed


def start_from(run: Run) -> dict[str, Any]:
    """Return the problem document of a run, for the form of a new one ("start from this")."""
    # The hash: a document of another project may have the same name and version.
    inputs = {
        item.slot: {"slug": item.slug, "version": item.version, "hash": item.content_hash} for item in run.inputs.all()
    }
    document = {
        "engine": run.engine,
        "inputs": inputs,
        "params": dict(run.params),
        "seed": run.seed,
        "title": run.title,
    }
    limit = {} if run.stop_after_minutes is None else {"stop_after_minutes": run.stop_after_minutes}
    return document | limit | ({"measure": dict(run.measure)} if run.measure else {})


def visible_runs(principal: Principal, *, gallery: bool = False) -> QuerySet[Run]:
    """Return the runs that `principal` may see, newest first, with owner and project; those of the gallery if asked for."""
    return visible(principal, Run.objects.select_related("owner", "project"), official=gallery)


def engines_of_late(principal: Principal, most: int) -> list[str]:
    """Return the names of the engines of the runs that `principal` started, the last used first."""
    started = visible(principal, Run.objects.filter(owner_id=principal.pk, study=None), official=False).order_by()
    latest = started.values("engine").annotate(latest=Max("created")).order_by("-latest")
    return [row["engine"] for row in latest[:most]]


def get_run(principal: Principal, run_id: int | str) -> Run:
    """Return one run.

    Raises:
        NotVisible: there is none of that number, or `principal` may not see it.
    """
    return require_visible(principal, Run.objects.select_related("owner", "project"), pk=run_id)


def target_project(principal: Principal, document: Mapping[str, Any], project: Project | None) -> Project:
    """Return the project of a document's runs: `project`, else the one in the document, else the principal's own.

    Raises:
        NotVisible, NotAllowed: the project is unknown to `principal`, or `principal` only views it.
    """
    if project is None and document.get("project"):
        project = require_visible(principal, Project.objects.all(), slug=document["project"])
    target = project or personal_project(principal)
    require_visible(principal, Project.objects.all(), pk=target.pk)
    require(principal, Action.RUN, target)
    return target


def inputs_of(run: Run, problem: Problem) -> list[RunInput]:
    """Return the rows that pin a problem's documents, for a stored run; not stored yet."""
    return [
        RunInput(
            run=run,
            slot=slot,
            kind=document.kind,
            slug=document.slug,
            version=document.version,
            content_hash=document.content_hash(),
            content=dict(document.content),
        )
        for slot, document in sorted(problem.inputs.items())
    ]


def _editable(principal: Principal, run: Run) -> Run:
    found = get_run(principal, run.pk)
    require(principal, Action.RUN, found)
    return found


def require_same_engine(engine: str, engine_version: int) -> None:
    """Raise `ProblemError` unless the installed engine has the version that a run began with."""
    version = get_engine(engine).version
    if version != engine_version:
        accepted = f"{version}, the version of the installed engine"
        reason = "Another release made this run."
        raise ProblemError("version", engine_version, accepted, reason=reason, remedies=["Start a new run from it."])


def _continuation(run: Run) -> Continuation:
    checkpoint = Checkpoint.objects.filter(run=run).defer("data").first()
    if checkpoint is None:
        text = "There is no checkpoint, so the run begins again from the beginning."
        return Continuation(run, 0, 0, text + _more_words(run))
    text = (
        f"The run continues after step {checkpoint.step_number}, with {many(checkpoint.design_count, 'design')} stored."
    )
    return Continuation(run, checkpoint.step_number, checkpoint.design_count, text + _more_words(run))


def _more_words(run: Run) -> str:
    """Return a sentence on the rest of its time limit; "" without a limit."""
    if run.stop_after_minutes is None:
        return ""
    return f" It may compute for {minutes_words(run.stop_after_minutes - run.computed_s / 60)} more."
