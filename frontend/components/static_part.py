"""Parts of a page that go to the browser as text, without a Dash component for each of their elements.

Dash tells every component on a page of each new one: a table of a thousand cells holds the browser up for seconds. As text, which
`assets/static_parts.js` puts in its place, it costs nothing. Only plain HTML can go so, and nothing in it is known to callbacks.
"""

from __future__ import annotations

from typing import Any

from dash import html

from frontend.components.static_html import static_html


def static_part(content: Any, **properties: Any) -> html.Div:
    """Return a box that shows `content`, components of `dash.html` or texts.

    Args:
        content: its content.
        properties: properties of the box: `id`, `className`.
    """
    return html.Div(**properties, **{"data-html": static_text(content)})


def static_text(content: Any) -> str:
    """Return the value of `data-html` of such a box, for callbacks that change it."""
    return static_html(content, answered=True)
