from __future__ import annotations

from typing import Any

from frontend.ids.run import RunIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import SELECTION, values
from tests.support.stored_runs import People
from webapp.runs.models import Run


def select(ask: Ask, user: Any, run: Run, changed: str, **given: Any) -> Any:
    answer = ask(user, f"{RunIds.FOLLOWED}.data", values(run, **given), changed)
    return answer.json()["response"][RunIds.FOLLOWED]["data"] if answer.status_code == 200 else None


def test_a_key_selects(people: People, run: Run, ask: Ask) -> None:
    key = {f"{RunIds.KEYS}.data": {"what": "window-next", "far": False}}
    found = select(ask, people.viewer, run, f"{RunIds.KEYS}.data", **key)
    assert found["selection"] == SELECTION | {"window": 1} and found["on"] == SELECTION
