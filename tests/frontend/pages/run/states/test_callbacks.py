from __future__ import annotations

from typing import Any

import pytest

from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import stage_of
from tests.frontend.conftest import Ask
from tests.frontend.live.cases import shown
from tests.support.stored_runs import People
from webapp.runs.models import Run


def act(ask: Ask, user: Any, run: Run, name: str) -> Any:
    key = f'{{"name":"{name}","type":"{RunIds.ACTION_TYPE}"}}.n_clicks'
    return ask(user, f"{RunIds.ACTION_ERROR}.children", {**shown(run), key: 1}, key)


def test_an_editor_stops_and_continues(people: People, run: Run, ask: Ask) -> None:
    Run.objects.filter(pk=run.pk).update(status="queued")
    assert act(ask, people.editor, run, "stop").status_code == 200
    run.refresh_from_db()
    assert run.status == "stopped"
    assert act(ask, people.editor, run, "continue").status_code == 200
    run.refresh_from_db()
    assert (run.status, run.wish) == ("queued", "run")
    assert stage_of(run)["status"] == "queued"


def test_a_viewer_is_told_that_it_takes_an_editor(people: People, run: Run, ask: Ask) -> None:
    Run.objects.filter(pk=run.pk).update(status="queued")
    assert "editor" in str(act(ask, people.viewer, run, "stop").json())
    run.refresh_from_db()
    assert run.status == "queued"


@pytest.mark.parametrize(("typed", "limit"), [("30", 41.0), ("", None)])
def test_a_run_goes_on_for_as_many_minutes_as_are_typed(
    people: People, run: Run, ask: Ask, typed: str, limit: float | None
) -> None:
    Run.objects.filter(pk=run.pk).update(status="stopped", stop_after_minutes=10.0, computed_s=660.0)
    key = f'{{"name":"continue-for","type":"{RunIds.ACTION_TYPE}"}}.n_clicks'
    more = f'{{"name":"minutes","type":"{RunIds.MORE_TYPE}"}}.value'
    answer = ask(people.editor, f"{RunIds.ACTION_ERROR}.children", {**shown(run), key: 1, more: "soon"}, key)
    assert "more_minutes: must be a number of minutes" in str(answer.json())
    ask(people.editor, f"{RunIds.ACTION_ERROR}.children", {**shown(run), key: 1, more: typed}, key)
    run.refresh_from_db()
    assert (run.status, run.stop_after_minutes) == ("queued", limit)
