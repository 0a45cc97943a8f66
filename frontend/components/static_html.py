"""Components as plain HTML text, for pages that stand on their own without Dash."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from dash.development.base_component import Component

_EMPTY = frozenset({"br", "hr", "img", "input"})
_NAMES = {"className": "class", "colSpan": "colspan", "rowSpan": "rowspan"}
_LEFT_OUT = frozenset({"children", "n_clicks", "disable_n_clicks"})


def static_html(part: Any) -> str:
    """The HTML of `dash.html` components, lists of them and texts. None is nothing; buttons are left out: nothing answers.

    Raises:
        TypeError: a component that is not plain HTML (a graph, an input).
    """
    if part is None:
        return ""
    if isinstance(part, list | tuple):
        return "".join(static_html(child) for child in part)
    if not isinstance(part, Component):
        return escape(str(part), quote=False)
    if part._namespace == "dash_core_components" and part._type == "Link":
        return f"<span>{static_html(part.children)}</span>"
    if part._namespace != "dash_html_components":
        raise TypeError(f"Only plain HTML can stand on its own. Got {part._type}.")
    return "" if part._type == "Button" else _element(part._type.lower(), part.to_plotly_json()["props"])


def _element(tag: str, given: Mapping[str, Any]) -> str:
    attributes = "".join(
        f' {_NAMES.get(name, name)}="{escape(_text(value))}"'
        for name, value in given.items()
        if name not in _LEFT_OUT and value is not None and value is not False and not _is_pattern(name, value)
    )
    opened = f"<{tag}{attributes}>"
    return opened if tag in _EMPTY else f"{opened}{static_html(given.get('children'))}</{tag}>"


def _is_pattern(name: str, value: Any) -> bool:
    """Ids that Dash's callbacks match by pattern say nothing outside of it."""
    return name == "id" and isinstance(value, Mapping)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):  # a style
        return ";".join(f"{_dashed(name)}:{content}" for name, content in value.items())
    return str(value)


def _dashed(name: str) -> str:
    return name if name.startswith("--") else "".join(f"-{c.lower()}" if c.isupper() else c for c in name)
