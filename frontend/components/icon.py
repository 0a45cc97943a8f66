"""Icons: Tabler's outline pictures from `assets/icons`, drawn as masks in the colour of the text around them."""

from __future__ import annotations

from typing import Literal

from dash import html


def icon(name: str, size: Literal["s", "m", "l"] = "m", class_name: str = "") -> html.Span:
    """Return the icon `assets/icons/<name>.svg`, 14 (s), 16 (m) or 20 (l) pixels wide; hidden from screen readers."""
    classes = " ".join(part for part in ("i", f"i-{name}", "" if size == "m" else size, class_name) if part)
    return html.Span(className=classes, **{"aria-hidden": "true"})
