from __future__ import annotations

from frontend.pages.run.tabs.grid import grids_tab
from tests.frontend.figures.samples import sample_grid


def test_every_window_has_a_card_side_by_side_where_there_is_room() -> None:
    grid = sample_grid()
    wide, narrow = grids_tab(grid, "light", 1032), grids_tab(grid, "light", 700)
    assert len(wide.children) == len(narrow.children) == len(grid.windows)
    assert "repeat(2," in wide.style["gridTemplateColumns"] and "repeat(1," in narrow.style["gridTemplateColumns"]
