"""Buttons. A page has one primary button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.icon import icon as draw_icon

Kind = Literal["plain", "primary", "quiet", "danger"]
Size = Literal["small", "medium", "large"]


def _classes(kind: Kind, size: Size, class_name: str) -> str:
    return " ".join(
        p for p in ("btn", "" if kind == "plain" else kind, "" if size == "medium" else size, class_name) if p
    )


def _content(text: str, icon: str, keys: str) -> list[Component | str]:
    parts: list[Component | str] = [draw_icon(icon, "s")] if icon else []
    return parts + [text] + ([html.Span(keys, className="kbd")] if keys else [])


def button(
    text: str,
    *,
    id: str | dict[str, Any] | None = None,  # noqa: A002  (as Dash calls it)
    icon: str = "",
    kind: Kind = "plain",
    size: Size = "medium",
    keys: str = "",
    disabled: bool = False,
    class_name: str = "",
    title: str = "",
    question: str = "",
) -> html.Button:
    """Return a button with `n_clicks`.

    Args:
        text: words.
        id: as Dash takes it.
        icon: name of an icon before the words.
        kind: looks.
        size: 26, 30 or 36 pixels high.
        keys: the shortcut shown after the words.
        disabled: whether it can be pressed.
        class_name: further classes.
        title: hint on hover.
        question: asked before the click counts.
    """
    given: dict[str, Any] = ({"id": id} if id is not None else {}) | ({"title": title} if title else {})
    given |= {"data-confirm": question} if question else {}
    classes = _classes(kind, size, class_name)
    return html.Button(_content(text, icon, keys), className=classes, disabled=disabled, type="button", **given)


def link_button(
    text: str,
    href: str,
    *,
    icon: str = "",
    kind: Kind = "plain",
    size: Size = "medium",
    keys: str = "",
    download: str = "",
) -> Component:
    """Return a link that looks like a button: within the explorer without loading the page again.

    `download` names a file to save.
    """
    classes, content = _classes(kind, size, ""), _content(text, icon, keys)
    if download or href.startswith("/api/"):
        return html.A(content, href=href, className=classes, **({"download": download} if download else {}))
    return dcc.Link(content, href=href, className=classes)


def icon_button(
    icon: str,
    label: str,
    *,
    id: str | dict[str, Any] | None = None,  # noqa: A002  (as Dash calls it)
    on: bool = False,
) -> html.Button:
    """Return a 28-pixel button of an icon alone; `label` is read out and shown on hover."""
    given = {"id": id} if id is not None else {}
    return html.Button(
        draw_icon(icon), className="ib on" if on else "ib", title=label, type="button", **{"aria-label": label}, **given
    )


def segmented(options: Sequence[tuple[str, Component | str]], value: str, id_type: str) -> html.Div:
    """Return two to five choices as one control; every button has the id `{"type": id_type, "value": <value>}`.

    Args:
        options: (value, words) pairs.
        value: the chosen one.
        id_type: type of the pattern-matching ids.
    """
    buttons = [
        html.Button(
            words,
            id={"type": id_type, "value": key},
            type="button",
            className="on" if key == value else "",
            **{"aria-pressed": str(key == value).lower()},
        )
        for key, words in options
    ]
    return html.Div(buttons, className="seg", role="group")
