"""The grid tab of the run page: every window of the selected design, each as picture and as table."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.contract.results import ChipletGrid, Result
from frontend.components.as_table import folded
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.figures.numbers import si
from frontend.figures.summary import grid_sentence
from frontend.pages.run.design.card import grid_legend, grid_picture, placement_table
from frontend.pages.run.run_reader import grid_of
from frontend.pages.run.tab import TabQuery, result_tab
from frontend.theme import Scheme


def grids_tab(grid: ChipletGrid, scheme: Scheme, width_px: int) -> Component:
    """Return every window of the selected design, each as picture and as table."""
    columns = 2 if width_px >= 1000 else 1
    each = (width_px - 12 * (columns - 1)) // columns - 4
    height = 86 * grid.rows
    cards = [
        card(
            f"W{index + 1}",
            plot(
                grid_picture(grid, index, scheme, (each, height)), height_px=height, summary=grid_sentence(grid, index)
            ),
            html.Div(grid_legend(grid, index), className="row run-legend"),
            folded(placement_table(grid, index)),
            subtitle=f"{si(window.duration_s, 's')} from {si(window.start_s, 's')}",
            actions=[figure_menu(figure_data=f"design:{grid.name}", table=False, window=index)],
            flush=True,
        )
        for index, window in enumerate(grid.windows)
    ]
    return html.Div(cards, className="run-grids", style={"gridTemplateColumns": f"repeat({columns}, minmax(0, 1fr))"})


def _made(results: tuple[Result, ...], asked: TabQuery) -> Component:
    grid = grid_of(results)
    assert grid is not None
    return grids_tab(grid, asked.scheme, asked.width_px)


TAB = result_tab("grid", "Grid", ChipletGrid, _made, ("layout-grid", "This engine does not use chiplets"))
