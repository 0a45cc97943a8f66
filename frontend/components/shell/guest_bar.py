"""The bar of a page that was opened by a read-only link: what it is, who shares it, until when."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from frontend.components.chip import chip
from frontend.components.icon import icon
from frontend.ids.shell import ShellIds
from frontend.request import opened_links


def guest_bar() -> Component:
    """Return the bar without navigation, search and menus: a link leads to nothing else."""
    brand = html.Span([html.Img(src="/assets/mark.svg", alt=""), "Paretoscope"], className="brand")
    toggle = html.Button(
        [icon("moon"), icon("sun")],
        id=ShellIds.SCHEME_TOGGLE,
        className="ib",
        type="button",
        title="Light or dark",
        **{"aria-label": "Switch between light and dark"},
    )
    mark = chip(
        "Read-only link", tone="acc", icon="link", title="Anyone with the link can look but not change anything"
    )
    sign_in = html.A("Sign in", href="/accounts/login/", className="btn small")
    words = html.Span(_words(), className="sm t2 el")
    return html.Header([brand, mark, words, html.Span(className="sp"), toggle, sign_in], className="topbar guest-bar")


def _words() -> str:
    links = opened_links()
    if not links:
        return ""
    newest = links[-1]
    more = f", and {len(links) - 1} more" if len(links) > 1 else ""
    until = f"{newest.link.expires:%-d %B %Y}"
    return f"{newest.link.made_by} shares “{newest.thing.title}” until {until}{more}"
