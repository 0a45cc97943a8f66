"""Build a scenario: networks with batch, rate and priority, saved as a version of a document.

The address says what to start from (`?from=<name>&version=<n>`, or `?networks=<name>,<name>`).
"""

from __future__ import annotations

from collections.abc import Mapping

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from frontend.components.button import button
from frontend.components.draft import draft as marked_draft
from frontend.components.icon import icon
from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.asked_number import asked_number
from frontend.pages.catalogue.document.frame import not_found
from frontend.pages.drafts import carried
from frontend.pages.scenario.data import (
    Form,
    Judgement,
    default_title,
    judge,
    network_choices,
    opened,
    project_of,
    seeds_of,
    where_words,
)
from frontend.pages.scenario.view import mistakes, models_table, summary
from frontend.request import chosen_project, current_user
from webapp.catalogue.scenarios import ScenarioDraft, draft_of
from webapp.teams.visibility import Principal, editable_projects


def layout(**query: str) -> Component:
    """Return the page for the signed-in user; `query` is what stands in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    try:
        draft = opening_draft(principal, query)
    except ProblemError:
        return not_found(principal, "workload", query.get("from", ""))
    return page(principal, opened(draft, principal), carried(query.get("draft", "")))


dash.register_page(
    __name__, path="/scenarios/new", name="New scenario", title="New scenario · Paretoscope", layout=layout
)


def opening_draft(principal: Principal, query: Mapping[str, str]) -> ScenarioDraft:
    """Return the draft that an address asks for.

    Raises:
        ProblemError: `from` names no workload that `principal` sees.
    """
    if query.get("from"):
        return draft_of(principal, query["from"], asked_number(query.get("version")))
    return seeds_of([name for name in query.get("networks", "").split(",") if name])


def page(principal: Principal, form: Form, draft: Mapping[str, str] | None = None) -> Component:
    """Return everything below the bar; `draft` is the run that the page was opened from."""
    crumb = html.Nav(
        [dcc.Link("Catalogue", href="/catalogue?kind=workload"), icon("chevron-right", "s"), html.Span("New scenario")],
        className="crumb",
        **{"aria-label": "Where you are"},
    )
    words = _title(form.draft)
    chosen = form.draft.project or str(chosen_project(principal).slug)
    judgement = judge(principal, form, project_of(principal, chosen))
    main = html.Div(_models(principal, form, judgement), className="new-main")
    return html.Div(
        [
            dcc.Location(id=Ids.LOCATION, refresh="callback-nav"),
            dcc.Store(id=Ids.FORM, data=form.to_json()),
            dcc.Store(id=Ids.DRAFT, data=dict(draft or {})),
            html.Div([crumb, html.H1(words, className="el", title=words)], className="head edge"),
            html.Div([main, _rail(principal, form, chosen, judgement)], className="page new-page"),
        ],
        **marked_draft("from", "networks", rows=Ids.FORM),
    )


def _models(principal: Principal, form: Form, judgement: Judgement) -> Component:
    add: Component = dmc.Select(
        id=Ids.ADD,
        data=network_choices(principal),
        placeholder="Add a network",
        searchable=True,
        clearable=False,
        maxDropdownHeight=360,
        nothingFoundMessage="No network of this name; lengths of text are found by name, as in bert-large-200",
        w=340,
        **{"aria-label": "Add a network"},
    )
    head = [
        html.H2("Models", className="section-title"),
        html.Span("they run at the same time", className="sm t3"),
        html.Span(className="sp"),
        add,
    ]
    return html.Section(
        [
            html.Div(head, className="row section-head"),
            html.Div(models_table(principal, form, judgement), id=Ids.MODELS, className="card"),
            html.Div(mistakes(principal, form, judgement), id=Ids.MISTAKES, role="alert"),
        ],
        **{"aria-label": "Models"},
    )


def _title(draft: ScenarioDraft) -> str:
    if draft.slug:
        return f"Edit {draft.title}"
    return f"New scenario from {draft.origin.partition('@')[0]}" if draft.origin else "New scenario"


def _rail(principal: Principal, form: Form, chosen: str, judgement: Judgement) -> Component:
    project = project_of(principal, chosen)
    ready = judgement.scenario is not None and project is not None
    title = _text(Ids.TITLE, "Title", form.draft.title, 200, default_title(principal, form))
    source = _text(Ids.SOURCE, "Source", form.draft.source, 2000)
    projects = [{"value": each.slug, "label": each.title} for each in editable_projects(principal)]
    where: Component = dmc.Select(
        id=Ids.PROJECT, data=projects, value=chosen, allowDeselect=False, size="xs", **{"aria-label": "Project"}
    )
    saved_as = html.Div(where_words(principal, form, project), id=Ids.WHERE, className="h")
    buttons = [
        button(
            "Save and explore", id=Ids.EXPLORE, icon="player-play", kind="primary", size="large", disabled=not ready
        ),
        button("Save", id=Ids.SAVE, icon="check", size="large", disabled=not ready),
    ]
    totals = html.Div(summary(judgement), id=Ids.SUMMARY, **{"aria-live": "polite"})
    return html.Aside(
        [
            html.Div(html.H2("Summary", className="section-title"), className="ch"),
            html.Div([title, source, html.Hr(className="hr"), totals], className="rail-body scenario-rail"),
            html.Div(
                [
                    html.Div([html.Label("Project"), where, saved_as], className="field"),
                    html.Div(id=Ids.SAVE_ERROR, role="alert"),
                    *buttons,
                ],
                className="rail-foot stack",
            ),
        ],
        className="card new-rail",
        **{"aria-label": "Summary"},
    )


def _text(component: Ids, label: str, value: str, longest: int, placeholder: str = "") -> Component:
    box: Component = dmc.TextInput(
        id=component,
        value=value,
        size="xs",
        placeholder=placeholder,
        inputProps={"maxLength": longest},
        **{"aria-label": label},
    )
    return html.Div([html.Label(label, htmlFor=component), box], className="field")
