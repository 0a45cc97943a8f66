from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from webapp.runs.models import LogLine, Run
from webapp.runs.results.live_changes import get_followed_run
from webapp.teams.visibility import NotVisible


def test_it_tells_what_is_stored_with_the_newest_line_of_the_log(people: People, run: Run) -> None:
    LogLine.objects.filter(run=run).delete()
    before = get_followed_run(people.owner, run.pk)
    assert (before.status, before.design_count, before.last_log, before.active) == ("done", run.design_count, 0, False)
    LogLine.objects.create(run=run, number=7, level="info", text="x", attempt=1)
    Run.objects.filter(pk=run.pk).update(status="running")
    after = get_followed_run(people.owner, run.pk)
    assert (after.last_log, after.active) == (7, True)


def test_a_stranger_is_told_of_no_run(people: People, run: Run) -> None:
    with pytest.raises(NotVisible):
        get_followed_run(people.stranger, run.pk)
