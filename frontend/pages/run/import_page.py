"""Import a run that another installation exported: the file is sent, compared with itself and the engines here, and opened."""

from __future__ import annotations

from typing import Any

import dash
import dash_mantine_components as dmc
from dash import Input, Output, callback, dcc, html
from dash.development.base_component import Component

from engines.exchange.bundle import MAX_BUNDLE_BYTES
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.icon import icon
from frontend.components.states import notice
from frontend.ids.run_import import RunImportIds
from frontend.request import chosen_project, current_user
from webapp.teams.visibility import editable_projects

_CREATED = 201


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    projects = [{"value": each.slug, "label": each.title} for each in editable_projects(principal).order_by("title")]
    project = dmc.Select(
        id=RunImportIds.PROJECT, data=projects, value=chosen_project(principal).slug, size="xs", allowDeselect=False,
        w=240, **{"aria-label": "Project"},
    )  # fmt: skip
    said = html.Div([html.Span("Project", className="sm t2"), project], className="row")
    words = html.Div(
        [
            html.P("An import brings the whole run of another installation: its problem with every document, "
                "designs, results, files and log."),
            html.P("Sizes and hashes are compared first, then the problem with its documents and the metrics with "
                "the designs. The installed engine computes the front, the baselines and a sample of the other "
                "designs again. The import stores nothing unless all of it agrees. It refuses another version "
                "of the engine, because metrics could have another meaning."),
            html.P("The run then belongs to you. It stays marked as imported, with exactly what was checked; its tab Provenance "
                   "says where it is from."),
        ],
        className="sm t2 stack",
    )  # fmt: skip
    body = html.Div(
        [card("File", _place(), said, class_name="upload-form"), html.Div(id=RunImportIds.RESULT)],
        className="upload-main",
    )
    return html.Div(
        [
            dcc.Store(id=RunImportIds.ANSWER),
            html.Div([html.H1("Import a run")], className="head"),
            html.Div([body, html.Aside(card("Steps", words), className="upload-words")], className="page upload-page"),
        ]
    )


dash.register_page(__name__, path="/import-run", name="Import a run", title="Import a run · Paretoscope", layout=layout)


def _place() -> Component:
    choose = button("Choose a file", id=RunImportIds.CHOOSE, icon="upload", kind="primary", size="large")
    words = f"or drop it here: what Export, Whole run wrote; at most {MAX_BUNDLE_BYTES // 1_000_000} MB"
    told = [html.Span(className="m5 el"), html.Span(className="sp"), html.Span(className="num t2 nw")]
    progress = html.Div(
        [html.Div(told, className="row sm"), html.Div(html.Div(), className="bar")],
        id=RunImportIds.PROGRESS,
        className="stack upload-progress",
        hidden=True,
        role="status",
    )
    return html.Div(
        [icon("upload", "l", "t3"), choose, html.Span(words, className="sm t2"), progress],
        id=RunImportIds.PLACE,
        className="upload-place",
    )


@callback(Output(RunImportIds.PLACE, "data-project"), Input(RunImportIds.PROJECT, "value"))
def choose_project(slug: str | None) -> str:
    """Return where the script that sends the file reads the project: the field itself shows titles, not slugs."""
    return slug or ""


@callback(Output(RunImportIds.RESULT, "children"), Input(RunImportIds.ANSWER, "data"), prevent_initial_call=True)
def show(answer: Any) -> Any:
    """Return the view of the read file: document, messages or refusal."""
    return import_result(answer) if isinstance(answer, dict) else None


def import_result(answer: dict[str, Any]) -> Component:
    """Return the run that is here now, or what did not agree.

    Args:
        answer: `status` of the interface's answer and its `body`.
    """
    body = answer.get("body") if isinstance(answer.get("body"), dict) else {}
    if answer.get("status") == _CREATED and body:
        open_it = link_button("Open the run", f"/runs/{body['id']}", kind="primary", icon="arrow-right")
        return card(
            f"Run {body['id']:04d} is here",
            html.Div([html.Span(str(body["title"]), className="b"), open_it], className="row"),
        )
    field, accepted = str((body or {}).get("field") or ""), str((body or {}).get("accepted") or "")
    words = str((body or {}).get("message") or "The server did not answer. Nothing was stored; try again.")
    if field.startswith("bundle") and accepted:
        words = f"This file cannot be imported, and nothing of it was stored. {words}"
    return card("Not imported", notice(words, tone="warn"))
