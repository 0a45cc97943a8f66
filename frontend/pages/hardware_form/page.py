"""Hardware of one's own: a copy of a document, or the next version of one, changed in a form or as text.

The address says what to start from (`?from=<name>&version=<n>`). Packages have a form with their mesh, other kinds one with a field
per figure; all can be edited as YAML.
"""

from __future__ import annotations

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.encoding.document_text import to_yaml
from frontend.components.button import button
from frontend.components.chip import chip
from frontend.components.draft import draft
from frontend.components.icon import icon
from frontend.components.pictures.figure_menu import picture_menu
from frontend.components.shell.shell import remembered_scheme
from frontend.designs.run_words import person_name
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.catalogue.document.frame import find, not_found
from frontend.pages.drafts import PREFERRED
from frontend.pages.hardware_form.data import draft_json
from frontend.pages.hardware_form.initial_content import InitialContent, opening
from frontend.pages.hardware_form.rail import drawn_facts, drawn_picture, where_words
from frontend.pages.hardware_form.view import form_body, text_card
from frontend.request import current_user
from webapp.catalogue.service import LONGEST_REASON
from webapp.teams.visibility import Principal, editable_projects


def layout(**query: str) -> Component:
    """Return the page for the signed-in user; `query` is what stands in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    shown = find(principal, "hardware", query.get("from") or PREFERRED["hardware"], query.get("version", ""))
    return (
        not_found(principal, "hardware", query.get("from", ""))
        if shown is None
        else page(principal, opening(principal, shown))
    )


dash.register_page(
    __name__, path="/hardware/new", name="New hardware", title="New hardware · Paretoscope", layout=layout
)


def page(principal: Principal, opened: InitialContent) -> Component:
    """Return the content of the page below the navigation bar."""
    mode = "both" if opened.official else "form"
    title = [html.H1(opened.title), *([chip("Official", tone="good", icon="circle-check")] if opened.official else [])]
    head = html.Div(
        [_crumb(opened), html.Div([html.Div(title, className="row g12"), _mode(mode)], className="row between")],
        className="head edge",
    )
    source = f"assumed; chosen by {person_name(principal)}"
    text = to_yaml(opened.content)
    form = html.Div(form_body(opened.content, source), id=Ids.FORM, className="new-main")
    panes = html.Div([form, text_card(text, hidden=mode == "form")], className="hardware-panes")
    main = html.Div([html.Div(id=Ids.MODE_ERROR), panes], className="new-main")
    return html.Div(
        [
            dcc.Store(id=Ids.DRAFT, data=draft_json(opened.content, [])),
            dcc.Store(id=Ids.PINNED, data=opened.pinned),
            dcc.Store(id=Ids.MIRRORED, data=text),
            dcc.Store(id=Ids.READ),
            dcc.Store(id=Ids.STORED),
            dcc.Store(id=Ids.OPENED, data=opened.content),
            dcc.Download(id=Ids.DOWNLOAD_FILE),
            head,
            html.Div([main, _rail(principal, opened)], className="page new-page hardware-page"),
        ],
        **draft("from", "version", kind="hardware"),
    )


def _crumb(opened: InitialContent) -> Component:
    parts: list[Component] = [dcc.Link("Catalogue", href="/catalogue?kind=hardware")]
    if opened.administered:
        parts = [html.A("Administration", href=opened.administered)]
    if opened.pinned:
        name = f"{opened.pinned['project']}/{opened.pinned['slug']}"
        parts += [icon("chevron-right", "s"), dcc.Link(name, href=f"/catalogue/hardware/{name}", className="mono")]
    parts += [icon("chevron-right", "s"), html.Span("Edit" if opened.pinned else "New hardware")]
    return html.Nav(parts, className="crumb", **{"aria-label": "Where you are"})


def _mode(chosen: str) -> Component:
    words = {"form": "Form", "both": "Side by side", "text": "YAML"}
    choices = [{"value": value, "label": label} for value, label in words.items()]
    control: Component = dmc.SegmentedControl(id=Ids.MODE, data=choices, value=chosen, size="xs")
    return control


def _reason(opened: InitialContent) -> Component:
    words = "Required for an official entry" if opened.official else "If you like"
    field: Component = dmc.TextInput(
        id=Ids.REASON,
        value=opened.reason,
        size="xs",
        inputProps={"maxLength": LONGEST_REASON},
        **{"aria-label": "Reason"},
    )
    below = html.Div(f"{words}; shown at the version and in the change log", className="h")
    return html.Div([html.Label("Reason", htmlFor=Ids.REASON), field, below], className="field")


def _rail(principal: Principal, opened: InitialContent) -> Component:
    scheme = remembered_scheme()
    projects = [{"value": project.slug, "label": project.title} for project in editable_projects(principal)]
    if opened.official:
        projects.append({"value": opened.project, "label": "Official: all projects"})
    project: Component = dmc.Select(
        id=Ids.PROJECT, data=projects, value=opened.project, allowDeselect=False, size="xs", **{"aria-label": "Project"}
    )
    where = html.Div(where_words(principal, opened.project, opened.content), id=Ids.WHERE, className="h")
    return html.Aside(
        [
            html.Div(
                [html.H2("Current state", className="section-title"), html.Span(className="sp"), picture_menu()],
                className="ch",
            ),
            html.Div(drawn_picture(opened.content, scheme), id=Ids.PICTURE, className="hardware-picture"),
            html.Div(drawn_facts(opened.content), id=Ids.FACTS),
            html.Div(
                [
                    html.Div(id=Ids.ERRORS),
                    html.Div(id=Ids.DIFFERENCE),
                    html.Div([html.Label("Project"), project, where], className="field"),
                    _reason(opened),
                    html.Div(
                        [
                            button("Save", id=Ids.SAVE, icon="check", kind="primary", size="large"),
                            button(
                                "YAML", id=Ids.DOWNLOAD, icon="download", size="large", title="Download current state"
                            ),
                        ],
                        className="row",
                    ),
                    html.Div(id=Ids.UNSAVED, className="sm t2", role="status"),
                    html.Div(id=Ids.SAVED, role="status"),
                ],
                className="rail-foot stack",
            ),
        ],
        className="card hardware-rail",
        **{"aria-label": "Current state"},
    )
