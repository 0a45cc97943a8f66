"""Following a run and acting on it, as the browser asks for it."""

from __future__ import annotations

from typing import Any

from frontend.ids.run import RunIds
from frontend.pages.run_view import stage_of, status_of
from tests.frontend.pages.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.models import Run


def shown(run: Run, **data: Any) -> dict[str, Any]:
    return {
        f"{RunIds.RUN}.data": run.pk,
        f"{RunIds.STATUS}.data": status_of(run),
        f"{RunIds.DATA}.data": {
            "count": run.design_count,
            "attempt": run.attempt,
            "live": run.active,
            "seen": None,
            **data,
        },
    }


def poll(ask: Ask, user: Any, values: dict[str, Any]) -> Any:
    return ask(user, f"{RunIds.STATUS}.data", values, f"{RunIds.TICK}.n_intervals")


def test_nothing_is_sent_where_nothing_changed(people: People, run: Run, ask: Ask) -> None:
    Run.objects.filter(pk=run.pk).update(status="running")
    run.refresh_from_db()
    assert poll(ask, people.viewer, shown(run)).status_code == 204


def test_new_designs_are_told_once_a_second_at_most(people: People, run: Run, ask: Ask) -> None:
    Run.objects.filter(pk=run.pk).update(status="running")
    run.refresh_from_db()
    answer = poll(ask, people.viewer, shown(run, count=10)).json()["response"]
    data = answer[RunIds.DATA]["data"]
    assert (data["count"], data["seen"], data["live"]) == (40, 10, True)
    assert poll(ask, people.viewer, shown(run, count=10, at=data["at"] + 0.5)).status_code == 204


def test_polling_ends_with_the_run(people: People, run: Run, ask: Ask) -> None:
    last = poll(ask, people.viewer, shown(run, live=True)).json()["response"]
    assert last[RunIds.DATA]["data"]["live"] is False and last[RunIds.TICK]["disabled"] is False
    after = poll(ask, people.viewer, shown(run)).json()["response"]
    assert after == {RunIds.TICK: {"disabled": True}}


def test_a_stranger_learns_nothing(people: People, run: Run, ask: Ask) -> None:
    assert poll(ask, people.stranger, shown(run)).status_code == 404
    assert poll(ask, people.owner, {**shown(run), f"{RunIds.RUN}.data": 10**6}).status_code == 404


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
