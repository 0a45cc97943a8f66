from __future__ import annotations

from tests.support.stored_runs import People
from webapp.reproductions import runs
from webapp.runs.models import Run


def test_a_run_on_its_way_replaces_the_buttons_and_can_be_stopped_and_continued(people: People) -> None:
    from frontend.pages.reproduction.callbacks import _do
    from frontend.pages.reproduction.job import actions, job_strip, state_of

    _do("quick", people.owner, "sbrs")
    _do("full", people.owner, "sbrs")  # a second click finds the first one's run
    run = Run.objects.get()
    assert run.params == {"method": "sbrs", "quick": True} and actions("sbrs", run, True) == []
    waiting = str(job_strip(people.owner, run))
    assert "waits for a worker" in waiting and "Stop" in waiting and f"/runs/{run.pk}" in waiting
    assert "reproduction-action" in waiting and "reproduction-action" not in str(job_strip(people.viewer, run))
    before = state_of(run)
    _do("stop", people.owner, "sbrs")
    stopped = runs.newest_run(people.owner, "sbrs")
    assert stopped is not None and stopped.status == "stopped" and state_of(stopped) != before
    assert "Continue after part 0 of 7" in str(job_strip(people.owner, stopped))
    _do("continue", people.owner, "sbrs")
    run.refresh_from_db()
    assert run.status == "queued"
