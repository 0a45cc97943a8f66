"""One sign and one tooltip for the certainty of a number, in all places that show one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.contract.certainty import LADDER, SIGNS
from frontend.bridge import get_app
from tests.support.stored_runs import People, finished_run
from webapp.annotations.marks import Marks
from webapp.comparisons.service import Entry
from webapp.runs.models import Run

Show = Callable[[Run], str]


def _head(run: Run) -> str:
    from frontend.pages.run.header import header
    from frontend.pages.run.run_reader import designs_of

    return str(header(run, designs_of(run), True, Marks()))


def _selected(run: Run) -> str:
    from frontend.pages.run.design.card import design_head
    from frontend.pages.run.run_reader import designs_of

    return str(design_head(designs_of(run), 1, False, False))


def _table(run: Run) -> str:
    from frontend.pages.run.run_reader import decisions_of, designs_of
    from frontend.pages.run.tabs.table import _columns

    designs = designs_of(run)
    return str(_columns(designs, decisions_of(run, designs)))


def _comparison(run: Run) -> str:
    from frontend.pages.compare.data import sides_of
    from frontend.pages.compare.measures import metric_rows
    from frontend.pages.compare.view import metric_table

    sides = sides_of([Entry(run), Entry(run)])
    return str(metric_table(metric_rows(sides), sides))


def _report(run: Run) -> str:
    from frontend.pages.report.blocks import block_parts
    from frontend.pages.report.canvas import PageCanvas
    from webapp.reports.blocks import Block

    return str(block_parts(Block("caveats"), {run.pk: run}, PageCanvas("light")))


def _command_line(run: Run) -> str:
    from webapp.runs.results.summaries import cost_lines

    return " ".join(cost_lines(run))


@pytest.mark.django_db
@pytest.mark.parametrize("show", [_head, _selected, _table, _comparison, _report, _command_line])
def test_the_same_sentence_stands_in_every_place(people: People, show: Show) -> None:
    get_app()
    from frontend.pages.run.run_reader import designs_of

    run = finished_run(people, steps=1, designs_per_step=4)
    shown = show(run)
    number = designs_of(run).objectives[0].certainty
    assert number is not None and number.word == "predicted" and number.sentence in shown
    others = [word for word in LADDER if word != number.word]
    assert not any(f"{SIGNS[word]} {word}" in shown for word in others), "no other word for the same number"


def test_the_tooltip_of_the_front_has_sign_word_and_band(people: People) -> None:
    from frontend.pages.run.front.choices import Choices
    from frontend.pages.run.front.picture import FrontRequest, drawn_front
    from frontend.pages.run.run_reader import designs_of

    designs = designs_of(finished_run(people, steps=1, designs_per_step=4))
    x, y = (quantity.name for quantity in designs.objectives[:2])
    assert "○ predicted" in str(drawn_front(designs, FrontRequest(Choices("front", x, y), "light", 600, 400)))
