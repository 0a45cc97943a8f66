"""A line of tabs, and the menu of those for which it has no room."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html
from dash.development.base_component import Component

from frontend.components.icon import icon


def tab_bar(tabs: Sequence[Component], label: str, *, links: bool = False) -> Component:
    """Return the tabs and the button *More*, whose entries are the tabs that the line leaves out.

    The open tab always stands in the line, where it is read by its name (`tab_bar.css`, `picture_menu.js`).

    Args:
        tabs: of the class `ptab`, the open one also of the class `on`; all of one page.
        label: label of the tab.
        links: whether they are links to pages.
    """
    words = {"aria-label": label}
    line = (html.Nav if links else html.Div)(tabs, className="ptab-line", role=None if links else "tablist", **words)
    more = html.Button(
        ["More", icon("chevron-down", "s")],
        className="ptab",
        type="button",
        **{"aria-haspopup": "menu", "aria-expanded": "false", "data-picture-menu": "", "data-more-tabs": ""},
    )
    return html.Div([line, html.Div(more, className="picture-menu-box more-tabs")], className="ptabs")
