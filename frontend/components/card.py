"""Cards: a title bar of 38 pixels and a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component


def card(
    title: str,
    *body: Component | None,
    subtitle: Component | str = "",
    actions: Sequence[Component | None] = (),
    flush: bool = False,
    id: str | dict[str, Any] | None = None,  # noqa: A002  (as Dash calls it)
    class_name: str = "",
    style: dict[str, Any] | None = None,
) -> html.Section:
    """A card.

    Args:
        title: words of the title bar; "" leaves the bar out.
        body: what stands below; None is skipped.
        subtitle: quieter words after the title.
        actions: controls at the right of the title bar.
        flush: no padding around the body, for plots and tables.
        id: of the card.
        class_name: further classes.
        style: of the card; sizes only.
    """
    head = html.Div(
        [
            html.H3(title),
            html.Span(subtitle, className="sm t3 el") if subtitle else None,
            html.Span(className="sp"),
            *[action for action in actions if action is not None],
        ],
        className="ch",
    )
    parts = html.Div([part for part in body if part is not None], className="cb flush" if flush else "cb")
    given: dict[str, Any] = ({"id": id} if id is not None else {}) | ({"style": style} if style else {})
    classes = f"card {class_name}".strip()
    return html.Section([head, parts] if title else [parts], className=classes, **{"aria-label": title}, **given)
