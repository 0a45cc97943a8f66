"""Small pictures of hardware: one square per chiplet, or one per unit of a system on a chip, in its tint and pattern."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dash import html

from frontend.components.pictures.legend import hardware_swatch
from frontend.components.static_part import static_text

_LARGEST_PX = 60.0
_GAP_PX = 2.0


def hardware_thumbnail(layout: Sequence[Sequence[str]], largest_px: float = _LARGEST_PX) -> html.Div:
    """Return the rows of dataflows or kinds of units; the card next to it says the same in words, so it is hidden from readers."""
    columns = max(map(len, layout), default=1)
    size = min(16.0, (largest_px - _GAP_PX * (columns - 1)) / columns)
    return html.Div(
        className="hardware-thumbnail",
        style={"gridTemplateColumns": f"repeat({columns}, {size:g}px)"},
        **{"aria-hidden": "true", "data-html": _squares(tuple(kind for row in layout for kind in row), size)},
    )


@lru_cache(maxsize=512)
def _squares(kinds: tuple[str, ...], size: float) -> str:
    # As text: the catalogue has some thousand squares, and each would be a component that Dash keeps.
    swatches = [hardware_swatch(kind) for kind in kinds]
    for square in swatches:
        square.style = {"width": size, "height": size}
    return static_text(swatches)
