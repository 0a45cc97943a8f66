"""Which button was clicked, where one callback answers several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dash import ctx
from dash.exceptions import PreventUpdate


def clicked_id(clicks: Iterable[int | None]) -> dict[str, Any]:
    """Return the id of the button that was clicked, one with a pattern.

    Args:
        clicks: `n_clicks` of all buttons of the pattern.

    Raises:
        PreventUpdate: none was; Dash also calls where buttons have just been drawn.
    """
    if not any(clicks) or not isinstance(ctx.triggered_id, dict):
        raise PreventUpdate
    return ctx.triggered_id
