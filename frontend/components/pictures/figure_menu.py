"""The menu of a figure's card: its picture as PNG or SVG, what it shows as a table, and its data."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from frontend.components.button import icon_button
from frontend.components.icon import icon


def figure_menu(*data: Component, figure_data: str = "", table: bool = True, **facts: str | int) -> Component:
    """Return the menu; it saves the first plot of the part of a card (`.picture`) that it stands in, else of the card.

    The browser does it: `assets/figures.js`, `assets/paper.js`, `assets/figure_table.js`.

    Args:
        data: further entries, made by `data_link` or `data_item`.
        figure_data: where the figure's data are, for a paper: an address, or "design:<result>" or "run:<result>" of the run's
            page; what the plot shows where it is left out.
        table: offer what it shows as a table; False where the card has a table of its own, or a drawing has none.
        facts: what of that it is, where the page does not say: `run`, `design`, `window` (from 0), `by`; `as_shown` draws the
            plot of the page for a paper, with its axes, and not the result again.
    """
    told = {f"data-{name.replace('_', '-')}": str(value) for name, value in facts.items()}
    pictures = [
        dmc.MenuItem(words, leftSection=icon("photo", "s"), className="menu-item", **{"data-save": kind})
        for words, kind in (("Picture as PNG", "png"), ("Picture as SVG", "svg"))
    ]
    papers = [
        dmc.MenuItem(
            words,
            leftSection=icon("file-text", "s"),
            className="menu-item",
            **{"data-paper": inches, "data-from": figure_data, **told},
        )
        for words, inches in (("For a paper, one column", "3.5"), ("For a paper, two columns", "7.16"))
    ]
    as_table = dmc.MenuItem(
        "Show as table",
        leftSection=icon("table", "s"),
        className="menu-item",
        **{"data-table": "", "data-from": figure_data, **told},
    )
    tables = [as_table] if table else []
    menu: Component = dmc.Menu(
        [
            dmc.MenuTarget(html.Div(icon_button("dots-vertical", _words(table)))),
            dmc.MenuDropdown([*tables, *pictures, *papers, *data], p=6),
        ],
        position="bottom-end",
        shadow=None,
        withinPortal=False,
        width=220,
    )
    return menu


def picture_menu(figure_data: str = "", *, table: bool = False, **facts: str | int) -> Component:
    """Return the same for one of many pictures in a card: a button whose entries the browser makes (`assets/picture_menu.js`).

    A menu is some thirty components, and Dash tells every component on a page of each new one. `table` offers what it shows as a
    table, where there is none next to it.
    """
    told = {f"data-{name.replace('_', '-')}": str(value) for name, value in facts.items()}
    opener = html.Button(
        icon("dots-vertical"),
        className="ib",
        type="button",
        title=_words(table),
        **{"aria-label": _words(table), "aria-haspopup": "menu", "aria-expanded": "false"},
        **{"data-picture-menu": "", "data-from": figure_data, **({"data-with-table": ""} if table else {}), **told},
    )
    return html.Div(opener, className="picture-menu-box")


def _words(table: bool) -> str:
    return "Save or show as table" if table else "Save"


def data_link(words: str, href: str) -> Component:
    """Return a menu entry that downloads the file at `href`."""
    return html.A([icon("table", "s"), words], href=href, className="menu-link", role="menuitem", download="")


def data_item(words: str, item_id: dict[str, Any]) -> Component:
    """Return an entry whose `n_clicks` a callback listens to."""
    item: Component = dmc.MenuItem(words, id=item_id, leftSection=icon("table", "s"), className="menu-item")
    return item
