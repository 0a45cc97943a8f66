"""Runs: their designs as frames, and their life with a real worker."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from paretoscope_client import NotFoundError, Paretoscope, Run, RunFailedError, WaitedTooLongError
from tests.client.conftest import connected
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.support.stored_runs import People
from tests.support.toy_engine import QUANTITIES
from webapp.api.views import designs as design_views
from webapp.runs.models import Run as StoredRun
from webapp.runs.results.readers import load_designs

Stored = Callable[..., Run]


def test_designs_are_a_frame_with_units(stored_run: Stored) -> None:
    run = stored_run()
    designs, told = run.designs(decisions=True), load_designs(StoredRun.objects.get())
    assert list(designs.index) == list(range(12)) and designs.index.name == "design"
    np.testing.assert_array_equal(designs["latency_s"], told.columns["latency_s"])
    assert designs.attrs["columns"]["energy_j"] == {"unit": "J", "sense": "minimise", "title": "Energy"}
    assert designs["decision"][3] == run.decision(3)
    assert "decision" not in run.designs()


def test_the_front_is_the_sites_however_many_pages_it_has(stored_run: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    run = stored_run()
    whole = run.front()
    told = load_designs(StoredRun.objects.get()).front(QUANTITIES)
    assert list(whole.index) == told.tolist() and len(whole) > 2
    assert whole.attrs["columns"]["latency_s"]["role"] == "objective"
    monkeypatch.setattr(design_views, "MAX_LIMIT", 2)
    monkeypatch.setattr("paretoscope_client.runs._FRONT_PAGE", 2)
    assert run.front().equals(whole)


def test_own_designs_are_scored(stored_run: Stored) -> None:
    run = stored_run()
    scored = run.evaluate([run.decision(2), {"x": [0, 0, 0]}])
    assert scored["energy_j"].tolist() == [run.designs()["energy_j"][2], 1.0]
    assert scored["feasible"].tolist() == [True, True]


def test_the_rest_of_a_run_is_there(stored_run: Stored, site: Paretoscope) -> None:
    run = stored_run()
    assert [each["type"] for each in run.explain(0)] == ["Schedule", "Breakdown", "Note"]
    assert run.convergence()["design_count"].tolist() == [4, 8, 12]
    assert len(run.log()) == 3
    assert site.explore_problem(run.problem(), title="Again", parent=run).refresh().facts["parent"] == run.number
    run.delete()
    with pytest.raises(NotFoundError):
        run.refresh()


def test_a_run_of_a_list_knows_how_it_ended(stored_run: Stored, site: Paretoscope) -> None:
    """Lists leave the reasons out; they are asked for when somebody wants them."""
    stored_run()
    StoredRun.objects.update(status="failed", outcome="error", outcome_detail={"text": "Out of memory."})
    (run,) = site.runs(status=["failed", "done"], project="lab")
    assert run.words == "failed: Out of memory."
    assert "failed: Out of memory." in repr(run)


def test_waiting_says_how_a_run_ended(stored_run: Stored, capsys: pytest.CaptureFixture[str]) -> None:
    run = stored_run()
    assert run.wait() is run and run.infeasible is None
    facts = {"limit": "energy", "demand": 1.0, "bound": 0.5, "unit": "J", "remedies": [{"text": "Allow 1 J."}]}
    StoredRun.objects.update(outcome="infeasible", outcome_detail=facts)
    tight = run.wait().infeasible
    assert tight and (tight.demand, tight.bound, tight.remedies) == (1.0, 0.5, ("Allow 1 J.",))
    StoredRun.objects.update(status="failed", outcome="error", outcome_detail={"text": "Out of memory."})
    with pytest.raises(RunFailedError, match=f"Run {run.number} failed: Out of memory."):
        run.wait()
    shown = capsys.readouterr().err
    assert f"Run {run.number}: done, 12 designs" in shown and "100 %" in shown
    assert "infeasible. No design can meet the limits. energy: 1 J needed, 0.5 J there. Allow 1 J." in shown
    assert "failed: Out of memory." in shown


@pytest.mark.long
@SQLITE
def test_a_life_with_a_worker(live_site: LiveSite, capsys: pytest.CaptureFixture[str]) -> None:
    """Real computing: done, too long, stopped and gone on with, infeasible, failed; the bar says each."""
    live_site.worker()
    site = connected(live_site.ann)
    run = site.explore("toy", params={"steps": 2000, "step_seconds": 0.05}, title="Long")
    with pytest.raises(WaitedTooLongError, match=f"Run {run.number} has not ended within 0.1 s"):
        run.wait(0.1, progress=False)
    live_site.wait(lambda: run.refresh().design_count, "designs")
    assert run.stop().wait(100).status == "stopped"
    kept = run.designs()
    assert run.go_on().status == "queued"
    site.run(run.number).stop().wait(100)
    assert run.designs().head(len(kept)).equals(kept)
    short = site.explore("toy", params={"steps": 2}).wait(100)
    assert (short.status, short.outcome, short.design_count) == ("done", "feasible", 8)
    tight = site.explore("toy", params={"energy_limit_j": 0.5}).wait(100)
    assert tight.infeasible and tight.infeasible.bound == 0.5 and tight.infeasible.demand == 1.0
    with pytest.raises(RunFailedError, match="as it was told to") as raised:
        site.explore("toy", params={"crash_at": 1}).wait(100)
    assert "RuntimeError" in raised.value.detail["traceback"]
    shown = capsys.readouterr().err
    assert f"Run {short.number}: done, 8 designs" in shown and "100 %" in shown
    assert "infeasible. No design can meet the limits." in shown and "1 J needed, 0.5 J there" in shown
    assert "failed: " in shown and "Long" not in shown


def test_strangers_get_no_run(stored_run: Stored, people: People) -> None:
    with pytest.raises(NotFoundError):
        connected(people.stranger).run(stored_run().number)
