"""What administrators allow holds for runs that wait, too: a keeper looks it up as it begins."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.limits.models import PersonLimits, ProjectLimits
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.worker import run_supervisor
from webapp.teams.visibility import personal_project


def kept(run: Run) -> run_supervisor.Kept:
    fencing_token = claim.claim_this("test", run.pk)
    assert fencing_token is not None
    found = run_supervisor.RunSupervisor(fencing_token).keep()
    run.refresh_from_db()
    return found


@SQLITE
def test_a_run_stops_at_the_minutes_that_were_set_while_it_waited(live_site: LiveSite, settings: Any) -> None:
    run = live_site.start(steps=10_000, step_seconds=0.05)
    assert run.stop_after_minutes is None
    settings.PARETOSCOPE_RUN_MINUTES_MAX = 0.01
    assert kept(run) == "stopped"
    assert run.stop_after_minutes == 0.01 and run.time_limit_reached
    assert run.computed_s >= 0.6


@SQLITE
@pytest.mark.parametrize(("own", "planned_mb", "given_mb"), [(700, 100, 700), (700, 900, 700), (0, 50_000, 50_000)])
def test_memory_is_the_tighter_limit(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, own: int, planned_mb: int, given_mb: int
) -> None:
    given: list[float] = []

    class Noted(Exception):
        pass

    def noted(*_: Any, memory_limit_mb: float, **__: Any) -> Any:
        given.append(memory_limit_mb)
        raise Noted

    monkeypatch.setattr(run_supervisor, "RunnerProcess", noted)
    run = live_site.start()
    Run.objects.filter(pk=run.pk).update(plan={**run.plan, "memory_mb": planned_mb})
    PersonLimits.objects.create(person=live_site.ann, run_memory_mb=own)
    ProjectLimits.objects.create(project=personal_project(live_site.ann), run_memory_mb=0 if own == 0 else None)
    kept(run)
    assert given == [given_mb]
