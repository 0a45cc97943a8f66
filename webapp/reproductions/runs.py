"""Reproductions as runs: started, followed, continued and stopped like any other, and kept for everybody when they are done."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from engines.contract.errors import UnknownEngineError
from engines.contract.results import Table
from engines.registry import get_engine
from engines.reproduction.engine import NAME, comparisons_in
from engines.reproduction.reproductions import seconds_of, versions_of
from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import to_json
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.teams.models import Project
from webapp.teams.visibility import Principal


def start(principal: Principal, method: str, quick: bool, project: Project | None = None) -> Run:
    """Queue a reproduction, as a run of `principal` in `project` (the personal one where left out).

    Raises:
        ProblemError: the method has no reproduction.
        NotVisible, NotAllowed: as for every run.
    """
    document = {"engine": NAME, "params": {"method": method, "quick": quick}, "title": title_of(method, quick)}
    return service.start(principal, document, project=project)


def title_of(method: str, quick: bool) -> str:
    """Return the title of a reproduction run for pages."""
    try:
        name = get_engine(method).title
    except UnknownEngineError:
        name = method
    return f"Published results of {name}" + (", quick" if quick else "")


def runs_of(principal: Principal, method: str) -> QuerySet[Run]:
    """Return the runs that reproduce a method and that `principal` may see, newest first."""
    return service.visible_runs(principal).filter(engine=NAME, params__method=method)


def newest_run(principal: Principal, method: str) -> Run | None:
    """Return the newest of them that is still of interest: it waits, runs, stopped or failed; None where the newest is done."""
    run = runs_of(principal, method).order_by("-created", "-pk").first()
    return None if run is None or run.status == Run.Status.DONE else run


def expected_s(method: str, quick: bool) -> float:
    """Return the expected seconds: those of the last time here with these versions, else those at release."""
    last = Reproduction.objects.filter(engine=method, quick=quick, versions=versions_of(method)).first()
    return last.duration_s if last else seconds_of(method, quick)


def keep_finished(sender: object, run_id: int, **_: Any) -> None:
    """Keep what a run of a reproduction computed; others are left alone. Within the transaction that ends the run."""
    run = Run.objects.filter(pk=run_id, engine=NAME).first()
    if run is None:
        return
    method = run.params["method"]
    tables = [result for result in readers.results(run).values() if isinstance(result, Table)]
    Reproduction.objects.update_or_create(
        run=run,
        defaults={
            "engine": method,
            "engine_version": get_engine(method).version,
            "versions": versions_of(method),
            "quick": run.params["quick"],
            "comparisons": [to_json(row) for row in comparisons_in(tables)],
            "platform": run.platform,
            "duration_s": run.metrics["computing_s"],
        },
    )
