"""The frame around every page: bar, navigation, search, workers, theme, user menu, live region and stores."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html, page_container
from dash.development.base_component import Component

from frontend.components.icon import icon
from frontend.components.shell.guest_bar import guest_bar
from frontend.components.shell.shell_live import bell_count, workers_words
from frontend.components.shell.tour import tour
from frontend.glossary import PATH as GLOSSARY
from frontend.ids.shell import ShellIds
from frontend.request import chosen_project, csrf_token, current_request, current_user
from frontend.theme import MANTINE_THEME, SCHEMES, Scheme
from webapp.api.page_account import account_of
from webapp.runs.queue.workers import worker_summary
from webapp.teams.permissions import Guest
from webapp.teams.visibility import editable_projects

DEFAULT_VIEWPORT = {"width": 1440, "height": 900}
_WORKERS_EVERY_MS = 5_000
_SHORTCUTS = (
    ("/", "Search"),
    ("N", "New run"),
    ("G H", "Go to Home"),
    ("G E", "Go to Explore"),
    ("G C", "Go to Compare"),
    ("G K", "Go to the catalogue"),
    ("← →", "Step along the front; with Shift by ten"),
    ("[ ]", "Previous or next time window"),
    ("Enter", "Pin the selected design, to compare others with it"),
    ("← → ↑ ↓", "In a schedule: step through blocks and rows; + and − zoom"),
    ("← →", "In a comparison: move the time cursor of all schedules or traces; + and − zoom them"),
    ("Esc", "Clear the selection"),
    ("Ctrl+Z", "Undo the last change of limits, selection, axes or view; Ctrl+Y repeats it"),
    ("?", "This list"),
)


def layout() -> Component:
    """Return the whole document for the person who looks; Dash puts the page into `page_container`."""
    scheme, viewport = remembered_scheme(), remembered_viewport()
    guest = isinstance(current_user(), Guest)
    return dmc.MantineProvider(
        [
            dcc.Store(id=ShellIds.SCHEME, data=scheme),
            dcc.Store(id=ShellIds.VIEWPORT, data=viewport),
            html.A("Skip to the content", href=f"#{ShellIds.MAIN}", className="btn skip"),
            guest_bar() if guest else _bar(),
            html.Div(
                [icon("refresh", "s"), html.Span()],
                id=ShellIds.CONNECTION,
                className="strip warn",
                hidden=True,
                role="status",
            ),
            html.Main(
                page_container,
                id=ShellIds.MAIN,
                tabIndex="-1",
                className="guest" if guest else "",
                **{
                    "data-scheme": scheme,
                    "data-viewport": f"{viewport['width']}x{viewport['height']}",
                    "data-account": account_of(current_user()),
                },
            ),
            # Has no children here, so that React leaves alone what `glossary.js` puts into it.
            html.Aside(id=ShellIds.TERMS, className="terms-here", **{"aria-label": "Terms on this page"}),
            html.Div(id=ShellIds.LIVE, className="visually-hidden", **{"aria-live": "polite"}),
            _shortcuts(),
            None if guest else tour(current_user()),
        ],
        theme=dict(MANTINE_THEME),
        defaultColorScheme="auto",
    )


def remembered_scheme() -> Scheme:
    """Return the scheme of the browser that asks, from its cookie: the first picture then has the right colours."""
    request = current_request()
    value = request.COOKIES.get("paretoscope_scheme", "") if request else ""
    return next((scheme for scheme in SCHEMES if scheme == value), "light")


def remembered_viewport() -> dict[str, int]:
    """Return the width and height in pixels of the window that asks, from its cookie."""
    request = current_request()
    width, _, height = (request.COOKIES.get("paretoscope_viewport", "") if request else "").partition("x")
    if not (width.isdigit() and height.isdigit()):
        return DEFAULT_VIEWPORT
    return {"width": min(max(int(width), 320), 10_000), "height": min(max(int(height), 240), 10_000)}


# -- bar --------------------------------------------------------------------------------------------------------------


def _bar() -> Component:
    brand = dcc.Link([html.Img(src="/assets/mark.svg", alt=""), "Paretoscope"], href="/", className="brand")
    toggle = html.Button(
        [icon("moon"), icon("sun")],
        id=ShellIds.SCHEME_TOGGLE,
        className="ib",
        type="button",
        title="Light or dark",
        **{"aria-label": "Switch between light and dark"},
    )
    links = [
        dcc.Link("Home", href="/", className="nav", id=ShellIds.NAV_HOME),
        dcc.Link("Survey", href="/survey", className="nav", id=ShellIds.NAV_SURVEY),
        dcc.Link("Explore", href="/new", className="nav", id=ShellIds.NAV_EXPLORE),
        dcc.Link("Studies", href="/studies", className="nav", id=ShellIds.NAV_STUDIES),
        dcc.Link("Compare", href="/compare", className="nav", id=ShellIds.NAV_COMPARE),
        dcc.Link("Reports", href="/reports", className="nav", id=ShellIds.NAV_REPORTS),
        dcc.Link("Catalogue", href="/catalogue", className="nav", id=ShellIds.NAV_CATALOGUE),
        dcc.Link("Reproductions", href="/reproductions", className="nav", id=ShellIds.NAV_REPRODUCTIONS),
    ]
    pages = html.Nav(links, className="row g0", **{"aria-label": "Pages"})
    words = workers_words(worker_summary()) if current_request() else []
    workers = html.Div(words, id=ShellIds.WORKERS, className="workers", role="status")
    tick = dcc.Interval(id=ShellIds.WORKERS_TICK, interval=_WORKERS_EVERY_MS)
    return html.Header(
        [
            _menu_button(),
            brand,
            html.Div([pages, html.Span(className="sp"), _projects()], id=ShellIds.MENU, className="bar-menu"),
            _search(),
            workers,
            tick,
            _bell(),
            toggle,
            _user_menu(),
        ],
        className="topbar",
    )


def _menu_button() -> Component:
    """Open pages and projects in narrow windows, where they do not fit into the bar (`narrow.js`)."""
    words = {"aria-label": "Pages and project", "aria-expanded": "false", "aria-controls": ShellIds.MENU}
    return html.Button(icon("menu-2"), className="ib menu-button", type="button", title="Menu", **words)


def _projects() -> Component | None:
    """Return the project in which everything that is made belongs, and the others; a form each, as the choice is kept."""
    person = current_user()
    projects = list(editable_projects(person).order_by("title", "pk"))
    if not projects:
        return None
    chosen = chosen_project()
    token = dcc.Input(type="hidden", name="csrfmiddlewaretoken", value=csrf_token(), id="project-token")
    choices = [
        html.Button(
            [_mark(each == chosen), html.Span(each.title, className="el")],
            type="submit", name="project", value=each.slug, role="menuitem", className="on" if each == chosen else "",
        )
        for each in projects
    ]  # fmt: skip
    form = html.Form([token, *choices], action="/accounts/project/", method="POST", className="menu-form menu-scroll")
    label = f"Project: {chosen.title}. New items belong to it"
    opener = html.Button(
        [html.Span(chosen.title, className="el"), icon("chevron-down", "s", "t3")],
        className="btn quiet", type="button", title=label, **{"aria-label": label},
    )  # fmt: skip
    entries = [
        html.Div("Project for new items", className="find-group"),
        form,
        _entry("Team: members and projects", "/team", "user"),
    ]
    return dmc.Menu(
        [dmc.MenuTarget(html.Div(opener, className="switch-project")), dmc.MenuDropdown(entries, p=6)],
        position="bottom-end", shadow=None, withinPortal=True, width=260,
    )  # fmt: skip


def _mark(chosen: bool) -> Component:
    return icon("check", "s") if chosen else icon("stack-2", "s", "t3")


def _search() -> Component:
    field = dmc.TextInput(
        id=ShellIds.SEARCH,
        placeholder="Search runs, hardware, networks",
        debounce=200,
        leftSection=icon("search", "s"),
        rightSection=html.Span("/", className="kbd"),
        **{"aria-label": "Search runs, designs, studies, hardware and workloads"},
    )
    return html.Div(
        [field, html.Div(id=ShellIds.SEARCH_RESULTS, className="find-results")], className="find", role="search"
    )


def _user_menu() -> Component:
    user = current_user()
    name = user.get_username() or "?"
    button = html.Button(_initials(name), className="ava", type="button", title=name, **{"aria-label": f"{name}: menu"})
    entries: list[Component] = [
        html.Div(name, className="find-group"),
        _entry("Account", "/accounts/account/", "user"),
        _entry("Notices", "/notices", "bell"),
        _entry("Devices", "/devices", "cpu"),
        _entry("Change log", "/changes", "list"),
        _entry("Deleted items", "/deleted", "trash"),
        _entry("Gallery", "/gallery", "layout-grid"),
        _entry("Glossary", GLOSSARY, "book"),
        _entry("About", "/about", "info-circle"),
        _entry("API documentation", "/api/docs/", "api"),
        _entry("API tokens", "/accounts/token/", "key"),
    ]
    if getattr(user, "is_staff", False):
        entries.append(_entry("Workers", "/workers", "cpu"))
        entries.append(_entry("Administration", "/admin/", "settings"))
    entries += [
        html.Button(
            [icon("route", "s"), "Two-minute tour"],
            className="menu-link li",
            type="button",
            role="menuitem",
            **{"data-tour": "start"},
        ),
        html.Button(
            [icon("keyboard", "s"), "Keyboard shortcuts"],
            className="menu-link li",
            type="button",
            role="menuitem",
            **{"data-open-shortcuts": ""},
        ),
        _sign_out(),
    ]
    return dmc.Menu(
        [dmc.MenuTarget(html.Div(button)), dmc.MenuDropdown(entries, p=6)],
        position="bottom-end",
        shadow=None,
        withinPortal=True,
        width=200,
    )


def _bell() -> Component:
    count = bell_count(current_user()) if current_request() else []
    return dcc.Link(
        [icon("bell"), html.Span("Notices", className="visually-hidden"), html.Span(count, id=ShellIds.NOTICES)],
        href="/notices", className="ib bell", title="Notices",
    )  # fmt: skip


def _initials(name: str) -> str:
    parts = [part for part in name.replace(".", " ").replace("_", " ").replace("-", " ").split() if part]
    letters = parts[0][0] + parts[1][0] if len(parts) > 1 else name[:2]
    return letters.upper()


def _entry(words: str, href: str, picture: str) -> Component:
    return html.A([icon(picture, "s"), words], href=href, className="menu-link", role="menuitem")


def _sign_out() -> Component:
    """Return a form: signing out changes state, so a link, which anything may follow, will not do."""
    token = dcc.Input(type="hidden", name="csrfmiddlewaretoken", value=csrf_token(), id="sign-out-token")
    button = html.Button([icon("logout", "s"), "Sign out"], type="submit", role="menuitem")
    return html.Form([token, button], action="/accounts/logout/", method="POST", className="menu-form")


def _shortcuts() -> Component:
    rows: list[Any] = []
    for keys, words in _SHORTCUTS:
        rows += [
            html.Span([html.Kbd(key, className="kbd") for key in keys.split()], className="row g4"),
            html.Span(words),
        ]
    return html.Dialog(
        html.Div([html.H2("Keyboard shortcuts"), html.Div(rows, className="shortcuts")], className="stack g12"),
        id=ShellIds.SHORTCUTS,
        className="dialog",
        **{"aria-label": "Keyboard shortcuts"},
    )


# -- callbacks --------------------------------------------------------------------------------------------------------

clientside_callback(
    ClientsideFunction("shell", "navigation"),
    Output(ShellIds.NAV_HOME, "className"),
    Output(ShellIds.NAV_SURVEY, "className"),
    Output(ShellIds.NAV_EXPLORE, "className"),
    Output(ShellIds.NAV_STUDIES, "className"),
    Output(ShellIds.NAV_COMPARE, "className"),
    Output(ShellIds.NAV_REPORTS, "className"),
    Output(ShellIds.NAV_CATALOGUE, "className"),
    Output(ShellIds.NAV_REPRODUCTIONS, "className"),
    Input("_pages_location", "pathname"),
)
