"""Cards: a title bar of 38 pixels and a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from dash import html
from dash.development.base_component import Component


def card_title(title: Any, class_name: str = "", *, level: Literal[2, 3] = 2, **given: Any) -> Component:
    """Return the heading of a card, which looks the same at every level.

    Args:
        title: its words or parts.
        class_name: further classes.
        level: 2 on a page, 3 below the heading of a section.
        given: further properties, such as an id.
    """
    heading = html.H2 if level == 2 else html.H3
    return heading(title, className=f"card-title {class_name}".strip(), **given)


def card(
    title: str,
    *body: Component | None,
    subtitle: Component | str = "",
    actions: Sequence[Component | None] = (),
    flush: bool = False,
    id: str | dict[str, Any] | None = None,  # noqa: A002  (as Dash calls it)
    class_name: str = "",
    style: dict[str, Any] | None = None,
    label: str = "",
    level: Literal[2, 3] = 2,
) -> html.Section:
    """Return a card.

    Args:
        title: words of the title bar; "" leaves the bar out.
        body: content below; None is skipped.
        subtitle: quieter words after the title.
        actions: controls at the right of the title bar.
        flush: no padding around the body, for plots and tables.
        id: id of the card.
        class_name: further classes.
        style: style of the card; sizes only.
        label: its name for those who do not see it, where another card of the page has the same title.
        level: level of the heading; 3 below the heading of a section.
    """
    head = html.Div(
        [
            card_title(title, level=level),
            html.Span(subtitle, className="sm t3 el") if subtitle else None,
            html.Span(className="sp"),
            *[action for action in actions if action is not None],
        ],
        className="ch",
    )
    parts = html.Div([part for part in body if part is not None], className="cb flush" if flush else "cb")
    given: dict[str, Any] = ({"id": id} if id is not None else {}) | ({"style": style} if style else {})
    classes = f"card {class_name}".strip()
    return html.Section(
        [head, parts] if title else [parts], className=classes, **{"aria-label": label or title}, **given
    )
