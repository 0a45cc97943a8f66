"""A run with a time limit: it stops by itself, is killed where it does not, and goes on with the time that is left or given."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engines.contract.errors import ProblemError
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.runs import service
from webapp.runs.models import LogLine, Run
from webapp.runs.queue import claim
from webapp.runs.results import summaries
from webapp.runs.storage.design_chunks import stored_designs
from webapp.runs.worker import run_supervisor
from webapp.runs.worker.run_supervisor import RunSupervisor


def start(site: LiveSite, seconds: float | None, **params: Any) -> Run:
    minutes = None if seconds is None else seconds / 60
    document = {"engine": "toy", "params": params, "seed": 1, "stop_after_minutes": minutes}
    return service.start(site.ann, document)


def keep(run: Run) -> Run:
    fencing_token = claim.claim_this("test", run.pk)
    assert fencing_token is not None
    RunSupervisor(fencing_token).keep()
    run.refresh_from_db()
    return run


@SQLITE
def test_it_stops_at_its_limit_and_goes_on_to_the_same_designs(live_site: LiveSite) -> None:
    run = keep(start(live_site, 1.2, steps=50, step_seconds=0.05, checkpoint_every=3))
    assert (run.status, run.wish, run.time_limit_reached) == ("stopped", "run", True)
    assert run.fraction < 1.0 and run.computed_s >= 1.2
    assert summaries.outcome_text(run) == "The run stopped: time limit of 0.02 min reached."
    assert LogLine.objects.filter(run=run, text__contains="time limit of 0.02 min reached").exists()
    found = stored_designs(run.pk)
    assert found is None or found.equals(
        live_site.unbroken(run).take(range(len(found)))
    )  # None: the machine was too busy
    twin = start(live_site, None, steps=50, step_seconds=0.05, checkpoint_every=3)
    assert twin.problem_hash == run.problem_hash and twin.stop_after_minutes is None
    again = service.continue_run(live_site.ann, run)
    assert again.run.stop_after_minutes == pytest.approx(0.02 + run.computed_s / 60)
    assert "It may compute for 0.02 min more." in again.text
    unlimited = service.continue_run(live_site.ann, stopped(live_site, again.run), without_limit=True).run
    assert unlimited.stop_after_minutes is None and keep(unlimited).status == "done"
    assert unlimited.computed_s > run.computed_s and not unlimited.time_limit_reached
    live_site.assert_same_designs(unlimited)


def stopped(site: LiveSite, run: Run) -> Run:
    return service.request_stop(site.ann, run)


@SQLITE
def test_an_engine_that_does_not_react_is_killed(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_supervisor, "TIME_LIMIT_GRACE_S", 0.2)
    monkeypatch.setattr(run_supervisor, "STOP_GRACE_S", 0.2)
    # It must hang before its time is over, however slowly its process starts; else it ends by itself.
    run = keep(start(live_site, 4.0, steps=50, step_seconds=0.05, crash_at=2, crash_kind="hang"))
    assert (run.status, run.time_limit_reached) == ("stopped", True) and run.design_count in (0, 4, 8)
    assert LogLine.objects.filter(run=run, text__contains="The engine was killed").exists()


@SQLITE
def test_time_used_counts_across_attempts_and_none_left_is_not_begun(live_site: LiveSite) -> None:
    run = start(live_site, 60.0, steps=4, step_seconds=0.05)
    Run.objects.filter(pk=run.pk).update(computed_s=61.0)
    assert keep(run).status == "stopped" and run.time_limit_reached and run.step_number == 0
    more = service.continue_run(live_site.ann, run, 2.5).run
    assert more.stop_after_minutes == pytest.approx(run.computed_s / 60 + 2.5)
    assert keep(more).status == "done" and more.computed_s > 60.0
    early = stopped(live_site, start(live_site, 60.0))
    assert service.continue_run(live_site.ann, early).run.stop_after_minutes == 1.0  # not reached: as it was


@SQLITE
def test_a_limit_that_is_reached_to_the_digit_is_reached_when_it_goes_on(live_site: LiveSite) -> None:
    minutes = next(
        n / 97 for n in range(1, 1000) if 60.0 * (n / 97) / 60.0 < n / 97
    )  # as minutes it is less than it was
    run = stopped(live_site, service.start(live_site.ann, {"engine": "toy", "stop_after_minutes": minutes}))
    Run.objects.filter(pk=run.pk).update(computed_s=60.0 * minutes)
    run.refresh_from_db()
    assert run.time_limit_reached
    assert service.continue_run(live_site.ann, run).run.stop_after_minutes == pytest.approx(2 * minutes)


@SQLITE
@pytest.mark.parametrize("minutes", [0, -1, "ten", True, 1e9])
def test_no_number_of_minutes_is_refused_by_its_field(live_site: LiveSite, minutes: Any) -> None:
    document = {"engine": "toy", "stop_after_minutes": minutes}
    with pytest.raises(ProblemError, match=r"^stop_after_minutes: must be a number of minutes above 0"):
        service.start(live_site.ann, document)
    run = stopped(live_site, start(live_site, None))
    with pytest.raises(ProblemError, match=r"^more_minutes: must be a number of minutes above 0"):
        service.continue_run(live_site.ann, run, minutes)


@SQLITE
def test_the_command_takes_it_and_reaching_it_is_no_failure(live_site: LiveSite) -> None:
    out = io.StringIO()
    steps = ("--set", "steps=200", "--set", "step_seconds=0.05")
    call_command("explore", "toy", "--user", "ann", *steps, "--stop-after-minutes", "0.005", stdout=out)
    run = Run.objects.get()
    assert run.time_limit_reached and "time limit of 0.005 min reached" in " ".join(out.getvalue().split())
    for wrong in ("soon", "0"):
        with pytest.raises(CommandError, match="stop_after_minutes: must be a number of minutes") as caught:
            call_command("explore", "toy", "--user", "ann", "--stop-after-minutes", wrong)
        assert caught.value.returncode == 2
