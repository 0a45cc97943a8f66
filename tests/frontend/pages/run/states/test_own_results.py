"""A run without designs, as a training: its own curves on the overview and on Convergence, and the tabs that it never fills."""

from __future__ import annotations

from typing import Any

import pytest

from frontend.bridge import get_app
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.states.cases import VIEWPORT, curve, overview, report, sizes
from tests.support.stored_runs import People
from webapp.runs.models import Run


def ask_news(ask: Ask, user: Any, run: Run, shown: Any, *curves: str) -> Any:
    ids = {
        f'{{"name":"{name}","type":"{RunIds.OWN_TYPE}"}}.{part}': None for name in curves for part in ("figure", "id")
    }
    given = {
        f"{RunIds.RUN}.data": run.pk,
        f"{RunIds.OWN_SHOWN}.data": shown,
        f"{RunIds.OWN_TURN}.data": 1,
        f"{ShellIds.SCHEME}.data": "light",
        f"{ShellIds.VIEWPORT}.data": VIEWPORT,
    }
    answer = ask(user, f"{RunIds.OWN}.children", given | ids, f"{RunIds.OWN_TURN}.data")
    return answer.json()["response"] if answer.status_code == 200 else None


def test_before_the_first_report_it_says_that_there_is_nothing_yet(training: Run) -> None:
    place, shown = overview(training)
    assert "No designs yet" in str(place) and shown["steps"] == {}


def test_curves_of_progress_come_first_and_documents_stay_away(training: Run) -> None:
    report(training, 1, sizes(), curve(1))
    text = str(overview(training)[0])
    assert text.index("Training loss") < text.index("Sizes")


def test_the_first_curve_makes_the_cards_and_later_ones_only_grow(people: People, training: Run, ask: Ask) -> None:
    shown = overview(training)[1]
    report(training, 1, curve(1), sizes())
    first = ask_news(ask, people.viewer, training, shown)
    assert "Training loss" in str(first[RunIds.OWN]["children"])
    state = first[RunIds.OWN_SHOWN]["data"]
    assert ask_news(ask, people.viewer, training, state, "loss") is None
    report(training, 2, curve(2))
    second = ask_news(ask, people.viewer, training, state, "loss")
    assert RunIds.OWN not in second
    figure = second[f'{{"name":"loss","type":"{RunIds.OWN_TYPE}"}}']["figure"]
    assert "Smallest" in str(figure) and second[RunIds.OWN_SHOWN]["data"]["steps"] == {"loss": 2, "sizes": 1}


def test_another_result_draws_all_cards(people: People, training: Run, ask: Ask) -> None:
    report(training, 1, curve(1))
    shown = overview(training)[1]
    report(training, 2, sizes())
    assert "Sizes" in str(ask_news(ask, people.viewer, training, shown, "loss")[RunIds.OWN]["children"])


def test_convergence_shows_them_without_a_choice_of_scale(people: People, training: Run, ask: Ask) -> None:
    from tests.frontend.pages.run.cases import panel

    assert "No curve yet" in panel(ask, people.viewer, training, "convergence")
    report(training, 1, curve(3))
    text = panel(ask, people.viewer, training, "convergence")
    assert "Training loss" in text and "Logarithmic" not in text


@pytest.mark.parametrize(("names", "whole"), [(["run:loss"], False), ([], True)])
def test_the_open_convergence_grows_in_place(
    people: People, training: Run, ask: Ask, names: list[str], whole: bool
) -> None:
    report(training, 1, curve(3))
    parts = ((RunIds.CURVE_TYPE, "figure"), (RunIds.CURVE_TYPE, "id"), (RunIds.CURVE_BOX_TYPE, "aria-label"))
    parts += ((RunIds.CURVE_WORDS_TYPE, "children"),)
    ids = {f'{{"name":"{name}","type":"{kind}"}}.{part}': None for name in names for kind, part in parts}
    given = {
        f"{RunIds.RUN}.data": training.pk,
        f"{RunIds.CURVE_TURN}.data": 7,
        f"{RunIds.SCALE}.data": "logarithmic",
        f"{ShellIds.SCHEME}.data": "light",
        f"{ShellIds.VIEWPORT}.data": VIEWPORT,
    }
    key = f'{{"name":["ALL"],"type":"{RunIds.CURVE_TYPE}"}}.figure'
    answer = ask(people.viewer, key, given | ids, f"{RunIds.CURVE_TURN}.data").json()["response"]
    assert (answer.get(RunIds.PANEL_TURN) == {"data": 7}) is whole
    assert ("Largest" in str(answer)) is not whole


def test_the_head_tells_what_the_engine_does_and_the_newest_value(training: Run) -> None:
    get_app()
    from frontend.pages.run.header import progress_line
    from frontend.pages.run.run_reader import designs_of

    report(training, 1, curve(4))
    text = str(progress_line(training, designs_of(training)))
    assert "Epoch 3 of 8" in text and "Largest: training loss" in text and "0.25" in text


def test_no_document_is_opened_for_the_tabs_of_an_engine_that_asks_for_none(
    training: Run, django_assert_num_queries: Any
) -> None:
    get_app()
    from frontend.pages.run.tabs.registry import lacking_tabs

    with django_assert_num_queries(0):
        assert lacking_tabs(training) == {"cost-models", "grid", "traces", "measured"}


def test_a_job_has_no_tabs_of_designs(people: People) -> None:
    get_app()
    from frontend.pages.run.tabs.registry import lacking_tabs

    assert {"overview", "designs", "convergence"} <= lacking_tabs(Run(engine="reproduction"))
