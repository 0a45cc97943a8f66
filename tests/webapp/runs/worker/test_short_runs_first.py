"""One of two workers takes short runs alone: a short run never waits for one that takes minutes, whatever was expected of that."""

from __future__ import annotations

from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.runs.models import Run


@SQLITE
def test_a_short_run_does_not_wait_for_one_that_turned_out_long(live_site: LiveSite) -> None:
    live_site.worker()
    long = live_site.start(steps=1000, step_seconds=1.0)
    live_site.wait_for_status(long, "running")
    wrong = live_site.start(steps=600, step_seconds=0.2, seed=2)
    Run.objects.filter(pk=wrong.pk).update(estimated_s=1.0, computed_s=61.0)  # a minute is over, and it goes on
    live_site.worker(PARETOSCOPE_WORKER_SHORT_ONLY="1")
    live_site.wait_for_status(wrong, "running")
    short = live_site.start(steps=3, seed=3)
    live_site.wait_for_status(short, "done")
    wrong.refresh_from_db()
    long.refresh_from_db()
    assert (long.status, wrong.status) == ("running", "queued"), "the worker for long runs goes on with it later"
    assert wrong.estimated_s > 120 and wrong.attempts_without_checkpoint == 0
