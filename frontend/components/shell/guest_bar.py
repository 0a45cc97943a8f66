"""The bar of a visitor: of a read-only link what it is, who shares it, until when; of the gallery its pages."""

from __future__ import annotations

from dash import dcc, html
from dash.development.base_component import Component
from django.conf import settings

from frontend.components.chip import chip
from frontend.components.icon import icon
from frontend.ids.shell import ShellIds
from frontend.request import current_user, opened_links
from webapp.teams.permissions import visitor_name


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
    title = "Anyone with the link can look but not change anything"
    mark = chip("Read-only link", tone="acc", icon="link", title=title) if opened_links() else None
    words = html.Span(_words(), className="sm t2 el")
    visitor = bool(visitor_name(current_user()))
    pages = [dcc.Link(name, href=f"/{name.lower()}", className="nav") for name in ("Gallery", "Survey", "Compare")]
    actions = [html.A("Sign in", href="/accounts/login/", className="btn small")]
    if visitor and settings.PARETOSCOPE_SIGN_UP == "OPEN":
        actions.append(html.A("Sign up", href="/accounts/sign_up/", className="btn small primary"))
    shown = [brand, html.Nav(pages, className="row g0", **{"aria-label": "Pages"}) if visitor else None, mark, words]
    return html.Header([*shown, html.Span(className="sp"), toggle, *actions], className="topbar guest-bar")


def _words() -> str:
    links = opened_links()
    if not links:
        return ""
    newest = links[-1]
    more = f", and {len(links) - 1} more" if len(links) > 1 else ""
    until = f"{newest.link.expires:%-d %B %Y}"
    return f"{newest.link.made_by} shares “{newest.thing.title}” until {until}{more}"
