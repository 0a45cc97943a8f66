"""Thumbnails of a chiplet grid, by which a window is chosen."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.results import ChipletGrid
from frontend.figures.numbers import si
from frontend.theme import MODELS

_CELL_PX = 8
_LARGEST_PX = 32


def mini_grid(grid: ChipletGrid, window: int) -> html.Div:
    """One small square per chiplet in the colour of the model that it executes in the window; idle ones stay empty."""
    position = {name: i for i, name in enumerate(grid.models)}
    owner = {p.chiplet: position.get(p.model, len(MODELS) - 1) for p in grid.windows[window].placements}
    size = min(_CELL_PX, (_LARGEST_PX - 1.5 * grid.columns) / grid.columns)
    cells: list[Component] = []
    for chiplet in sorted(grid.chiplets, key=lambda c: (c.row, c.column)):
        model = owner.get(chiplet.index)
        classes = "" if model is None else f"m{min(model, len(MODELS) - 1)}"
        cells.append(html.Span(className=classes, style={} if size == _CELL_PX else {"width": size, "height": size}))
    return html.Div(cells, className="mini", style={"gridTemplateColumns": f"repeat({grid.columns}, {size}px)"})


def window_picker(grid: ChipletGrid, selected: int, id_type: str) -> html.Div:
    """All windows of a grid as buttons; the button of window i has the id `{"type": id_type, "index": i}`."""
    buttons = []
    for index, window in enumerate(grid.windows):
        name = f"W{index + 1}"
        words = [html.Div(name, className="name"), html.Div(si(window.duration_s, "s"), className="value")]
        buttons.append(
            html.Button(
                [mini_grid(grid, index), html.Div(words)],
                id={"type": id_type, "index": index},
                className="win on" if index == selected else "win",
                type="button",
                title=f"{window.title or name}, {si(window.duration_s, 's')}",
                **{"aria-pressed": str(index == selected).lower()},
            )
        )
    return html.Div(buttons, className="wins", role="group", **{"aria-label": "Windows"})
