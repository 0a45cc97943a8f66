"""Components as plain HTML text: for pages that stand on their own without Dash, and for parts of pages that change often.

Dash tells every component on a page of each new component, so a part of fifty components that is drawn again holds the browser
up for a third of a second. As text it costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from dash.development.base_component import Component

_EMPTY = frozenset({"br", "hr", "img", "input"})
_NAMES = {"className": "class", "colSpan": "colspan", "rowSpan": "rowspan"}
_LEFT_OUT = frozenset({"children", "n_clicks", "disable_n_clicks"})
# Numbers of other styles are pixels.
_PLAIN_NUMBERS = frozenset({"opacity", "order", "flex", "flexGrow", "flexShrink", "fontWeight", "lineHeight", "zIndex"})


def static_html(part: Any, answered: bool = False) -> str:
    """Return the HTML of `dash.html` components, lists of them and texts. None is nothing.

    Args:
        part: part to return as text.
        answered: whether a script of the page answers clicks. Else buttons are left out, and the ids by which Dash would.

    Raises:
        TypeError: a component that is not plain HTML (a graph, an input).
    """
    if part is None:
        return ""
    if isinstance(part, list | tuple):
        return "".join(static_html(child, answered) for child in part)
    if not isinstance(part, Component):
        return escape(str(part), quote=False)
    if part._namespace == "dash_core_components" and part._type == "Link":
        return f"<span>{static_html(part.children)}</span>"
    if part._namespace != "dash_html_components":
        raise TypeError(f"Only plain HTML can be exported. Got {part._type}.")
    if part._type == "Button" and not answered:
        return ""
    return _element(part._type.lower(), part.to_plotly_json()["props"], answered)


def _element(tag: str, given: Mapping[str, Any], answered: bool) -> str:
    attributes = "".join(
        f' {_NAMES.get(name, name)}="{escape(_text(name, value))}"'
        for name, value in given.items()
        if name not in _LEFT_OUT
        and value is not None
        and value is not False
        and (answered or not _is_pattern(name, value))
    )
    opened = f"<{tag}{attributes}>"
    return opened if tag in _EMPTY else f"{opened}{static_html(given.get('children'), answered)}</{tag}>"


def _is_pattern(name: str, value: Any) -> bool:
    """Return the ids that Dash's callbacks match by pattern say nothing outside of it."""
    return name == "id" and isinstance(value, Mapping)


def _text(name: str, value: Any) -> str:
    if name == "id" and isinstance(value, Mapping):  # as Dash writes it
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    if isinstance(value, Mapping):  # a style
        return ";".join(f"{_dashed(key)}:{_length(key, content)}" for key, content in value.items())
    return str(value)


def _length(name: str, content: Any) -> str:
    pixels = isinstance(content, int | float) and name not in _PLAIN_NUMBERS and not name.startswith("--")
    return f"{content}px" if pixels else str(content)


def _dashed(name: str) -> str:
    return name if name.startswith("--") else "".join(f"-{c.lower()}" if c.isupper() else c for c in name)
