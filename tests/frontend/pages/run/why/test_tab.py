from __future__ import annotations

from typing import Any

from frontend.ids.run import RunIds
from frontend.ids.why import WhyIds
from frontend.pages.run.why.tab import made_of_card
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel, values
from tests.support.stored_runs import People
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run


def test_the_tab_says_what_binds_who_waits_and_offers_figures(people: People, run: Run, ask: Ask) -> None:
    content = panel(ask, people.viewer, run, "why")
    for words in (
        "Breakdown of Design 0003",
        "Limit on energy of a design",
        "Idle time by compute unit",
        WhyIds.MADE_OF,
    ):
        assert words in content


def test_an_engine_that_says_nothing_of_parts_is_told_apart(
    people: People, run: Run, ask: Ask, monkeypatch: Any
) -> None:
    monkeypatch.setattr(ToyEngine, "breakdowns", ())
    assert "has no breakdown of its metrics" in panel(ask, people.viewer, run, "why")


def test_it_is_of_what_is_asked_for_else_of_the_usual(run: Run) -> None:
    asked = str(made_of_card(run, 3, 5, ("energy_j", "by part", "alone"), "light"))
    assert "Energy of Design 0003" in asked and "than Design 0005" not in asked
    usual = str(made_of_card(run, 3, 5, ("", "", ""), "light"))
    assert "Latency of Design 0003" in usual and "than Design 0005" in usual and "value='pinned'" in usual


def test_everybody_who_sees_the_run_may_ask(people: People, run: Run, ask: Ask) -> None:
    given = {f"{WhyIds.CHOSEN}.data": {"of": "energy_j"}, f"{RunIds.PIN}.data": None}
    key = f"{WhyIds.MADE_OF}.children"
    found = ask(people.viewer, key, values(run, **given), f"{WhyIds.CHOSEN}.data")
    assert found.status_code == 200 and "waterfall" in str(found.json())
    assert "waterfall" not in str(ask(people.stranger, key, values(run, **given), f"{WhyIds.CHOSEN}.data").content)
