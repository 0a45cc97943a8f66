from __future__ import annotations

from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import Form, Judgement, opened, seeds_of
from frontend.pages.scenario.view import models_table, summary
from tests.frontend.conftest import Ask
from tests.frontend.pages.scenario.cases import drawn_page, sent, shown
from tests.support.stored_runs import People


def test_an_empty_page_asks_for_a_network(people: People, ask: Ask) -> None:
    form = opened(seeds_of([]), people.editor)
    answer = shown(ask(people.editor, f"{Ids.SUMMARY}.children", sent(form)))
    assert answer[Ids.SAVE]["disabled"] is True and answer[Ids.MISTAKES]["children"] == []
    assert "Add the first network" in drawn_page(people.editor, seeds_of([]))


def test_a_page_without_judgement_shows_no_figures(people: People, two: Form) -> None:
    assert "Totals appear" in str(summary(Judgement()))
    assert "–" in str(models_table(people.editor, two, Judgement()))
