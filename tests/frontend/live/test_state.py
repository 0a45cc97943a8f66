"""Following a run and acting on it, as the browser asks for it."""

from __future__ import annotations

import json
import re
from typing import Any

from django.test import Client
from django.utils import timezone

from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import run_state
from frontend.ids.run import RunIds
from frontend.live.points import as_json
from frontend.live.state import STATE_PATH
from frontend.pages.run.header import progress_line
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.states.cards import state_card
from tests.frontend.conftest import Ask
from tests.frontend.live.cases import shown
from tests.support.stored_runs import People
from webapp.runs.models import LogLine, Run


def state(user: Any, run_id: int) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(f"{STATE_PATH}{run_id}")


def test_the_state_says_what_the_page_follows(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="running", fraction=0.25)
    answer = state(people.viewer, run.pk)
    assert answer["Cache-Control"] == "private, no-store"
    found = answer.json()
    assert (found["count"], found["attempt"], found["active"]) == (40, run.attempt, True)
    assert (found["status"]["fraction"], found["stage"]["status"]) == (0.25, "running")
    Run.objects.filter(pk=run.pk).update(status="stopped")
    assert state(people.viewer, run.pk).json()["active"] is False


def test_a_new_line_of_the_log_changes_the_state(people: People, run: Run) -> None:
    before = state(people.viewer, run.pk).json()["status"]
    last = LogLine.objects.filter(run=run).latest("number")
    LogLine.objects.create(run=run, number=last.number + 1, attempt=1, level="info", text="one more")
    assert state(people.viewer, run.pk).json()["status"] == {**before, "log": last.number + 1}


def test_a_stranger_learns_nothing(people: People, run: Run) -> None:
    assert state(people.stranger, run.pk).status_code == 404
    assert state(people.owner, 10**6).status_code == 404
    assert Client().get(f"{STATE_PATH}{run.pk}").status_code == 401


def told(ask: Ask, user: Any, run: Run, before: str) -> str | None:
    values = {**shown(run), f"{RunIds.ANNOUNCE}.children": before}
    answer = ask(user, f"{RunIds.PROGRESS}.children", values, f"{RunIds.STATUS}.data").json()["response"]
    found = answer.get(RunIds.ANNOUNCE, {}).get("children")
    return None if found is None else str(found).replace("\u00a0", " ")


def test_progress_is_told_at_every_tenth_and_the_end_as_everywhere_else(people: People, run: Run, ask: Ask) -> None:
    Run.objects.filter(pk=run.pk).update(status="running", fraction=0.43)
    assert told(ask, people.viewer, run, "") == "Run running, 43 %"
    assert told(ask, people.viewer, run, "Run running, 40 %") is None
    Run.objects.filter(pk=run.pk).update(status="stopped", fraction=0.48)
    run.refresh_from_db()
    assert told(ask, people.viewer, run, "Run running, 43 %") == "Run stopped, 48 %"
    assert "48\u00a0%" in run_state(run, timezone.now()).fact
    assert "48 %" in str(state_card(run, False)).replace("\\xa0", " ")


def test_key_figures_short_list_and_selection_tell_of_the_same_designs(people: People, run: Run, ask: Ask) -> None:
    """Each of them is asked for by itself, while designs come."""
    Run.objects.filter(pk=run.pk).update(status="running")
    run.refresh_from_db()
    every = designs_of(run)
    count = next(n for n in range(8, 40) if every.first(n).best(every.primary) != every.best(every.primary))
    early = every.first(count)
    assert len(early) == count and set(early.front) <= set(range(count))
    data = {"count": count, "attempt": run.attempt, "live": True, "seen": None}
    values = {
        **shown(run), f"{RunIds.DATA}.data": data, f"{RunIds.LISTED}.data": {}, f"{RunIds.ANNOUNCE}.children": "",
        f"{RunIds.LIMITS}.data": {}, f"{RunIds.REGION}.data": {}, f"{RunIds.SHORT_BY}.value": early.primary,
        f"{RunIds.RANKING}.data": {"by": early.primary, "values": {}}, f"{RunIds.KEYS}.data": {},
        f"{RunIds.SELECTION}.data": {"design": 0, "window": 0, "follow": True},
    }  # fmt: skip

    def told(values: dict[str, Any], designs: RunDesigns) -> None:
        best = designs.best(designs.primary)
        figures = ask(people.viewer, f"{RunIds.PROGRESS}.children", values, f"{RunIds.STATUS}.data").json()["response"]
        (_, *expected) = progress_line(run, designs)
        (_, *given) = figures[RunIds.PROGRESS]["children"]
        assert given == json.loads(as_json(expected))
        words = ask(people.viewer, f"{RunIds.SHORT_WORDS}.data", values, f"{RunIds.DATA}.data").json()["response"]
        first = words[RunIds.SHORT_WORDS]["data"]["html"][RunIds.SHORT_LIST].partition("<tbody>")[2]
        assert re.search(r'title="Design(?:s)? (\d+)', first)[1] == str(best)
        chosen = ask(people.viewer, f"{RunIds.FOLLOWED}.data", values, f"{RunIds.DATA}.data").json()["response"]
        assert chosen[RunIds.FOLLOWED]["data"]["selection"]["design"] == designs.first_choice

    told(values, early)
    told({**values, f"{RunIds.LISTED}.data": {"attempt": run.attempt, "count": 40}}, every)
    told({**values, f"{RunIds.DATA}.data": {**data, "attempt": run.attempt - 1}}, every)
