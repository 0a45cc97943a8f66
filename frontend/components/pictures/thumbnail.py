"""Thumbnails of a chiplet grid, by which a window is chosen."""

from __future__ import annotations

from dash import html

from engines.contract.results import ChipletGrid
from frontend.figures.numbers import si
from frontend.theme import MODELS

_CELL_PX = 8
_LARGEST_PX = 32
_GAP_PX = 1.5


def mini_grid(grid: ChipletGrid, window: int) -> html.Div:
    """Return one small square per chiplet in the colour of the model that it executes in the window; idle ones stay empty.

    A single element with painted squares: a page has dozens of chiplets, and every component slows every click on it.
    """
    position = {name: i for i, name in enumerate(grid.models)}
    owner = {p.chiplet: position.get(p.model, len(MODELS) - 1) for p in grid.windows[window].placements}
    size = min(_CELL_PX, (_LARGEST_PX - _GAP_PX * grid.columns) / grid.columns)
    insides, edges = [], []
    for at, chiplet in enumerate(sorted(grid.chiplets, key=lambda c: (c.row, c.column))):
        left, top = ((at % grid.columns) * (size + _GAP_PX), (at // grid.columns) * (size + _GAP_PX))
        model = owner.get(chiplet.index)
        name = None if model is None else f"--model-{min(model, len(MODELS) - 1)}"
        insides.append(_square(f"var({name or '--p-sunken'})", left + 1, top + 1, size - 2))
        edges.append(_square(f"var({f'{name}-edge' if name else '--p-border'})", left, top, size))
    rows = -(-len(insides) // grid.columns)
    width, height = (count * (size + _GAP_PX) - _GAP_PX for count in (grid.columns, rows))
    style = {"width": width, "height": height, "background": ", ".join([*insides, *edges])}
    return html.Div(className="mini", style=style)


def _square(colour: str, left: float, top: float, size: float) -> str:
    return f"linear-gradient({colour} 0 0) {left:g}px {top:g}px / {size:g}px {size:g}px no-repeat"


def window_picker(grid: ChipletGrid, selected: int, id_type: str) -> html.Div:
    """Return all windows of a grid as buttons; the button of window i has the id `{"type": id_type, "index": i}`."""
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
