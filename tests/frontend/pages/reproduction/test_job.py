from __future__ import annotations

from tests.support.stored_runs import People
from webapp.reproductions import runs
from webapp.runs.models import Run


def test_a_crash_is_shown_with_its_words(people: People) -> None:
    from frontend.pages.reproduction.job import job_strip

    run = runs.start(people.owner, "sbrs", quick=True)
    detail = {"text": "The process was killed by SIGKILL."}
    Run.objects.filter(pk=run.pk).update(status="failed", outcome="error", outcome_detail=detail)
    failed = runs.newest_run(people.owner, "sbrs")
    shown = str(job_strip(people.owner, failed))
    assert "Failed" in shown and "killed by SIGKILL" in shown and "Continue after" in shown
