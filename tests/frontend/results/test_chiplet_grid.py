from __future__ import annotations

from dataclasses import replace

from frontend.results.chiplet_grid import VIEW
from frontend.results.view import FigureQuery
from tests.frontend.figures.samples import sample_grid

GRID = sample_grid()


def test_every_window_has_a_picture() -> None:
    shown = VIEW.component(GRID, "light", 2000).children
    assert [each.children[0].children for each in shown] == [f"W{number + 1}" for number in range(len(GRID.windows))]
    assert all(each.style == {"width": 640.0} for each in shown)


def test_a_paper_gets_the_window_that_it_asks_for_or_the_nearest() -> None:
    assert VIEW.paper is not None
    first, last, beyond = (VIEW.paper(GRID, 300, FigureQuery(window=at)) for at in (0, len(GRID.windows) - 1, 99))
    assert first != last == beyond and VIEW.paper(replace(GRID, windows=()), 300, FigureQuery()) is None
