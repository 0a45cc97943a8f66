"""What the designs of a run decide, here and by the child."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import finished_run, make_people
from webapp.runs.models import Run
from webapp.runs.results import run_decisions


@pytest.fixture
def run(db: Any, toys: None) -> Run:
    return finished_run(make_people(), steps=2, designs_per_step=4)


def test_many_are_asked_of_the_child_with_what_is_new(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    here = run_decisions.decided_after(run, 5)
    assert here and all(len(values.which) == 3 for values in here.values())
    asked: list[Any] = []
    monkeypatch.setattr(run_decisions, "MOST_HERE", 0)
    monkeypatch.setattr(run_decisions, "decided_in_child", lambda *given: asked.append(given) or {})
    assert run_decisions.decided_after(run, 5) == {}
    (engine, chunks, skipped) = asked[0]
    assert (engine, len(chunks), skipped) == ("toy", 1, 1), "the second chunk begins at design 4"


def test_of_an_engine_that_is_gone_nothing_is_told(run: Run) -> None:
    run.engine = "gone"
    assert run_decisions.decided_after(run, 0) == {}
