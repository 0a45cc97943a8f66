"""Home of a person without runs: the field of the survey, and questions that one click has answered."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

from dash import ALL, Input, Output, callback, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from engines.documents.builtin import builtin_documents
from engines.documents.families import load
from engines.documents.questions import Question, asked_questions
from engines.registry import get_engine
from frontend.components.button import button
from frontend.components.card import card
from frontend.components.clicks import clicked_id
from frontend.components.icon import icon
from frontend.components.kept_part import kept_part
from frontend.components.pictures.hardware_thumbnail import hardware_thumbnail
from frontend.components.states import notice
from frontend.figures.hardware.soc_diagram import unit_finish
from frontend.ids.home import HomeIds
from frontend.pages.drafts import dataflows_by_row
from frontend.pages.survey.field import survey_field
from frontend.request import chosen_project, current_user
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc
from webapp.runs.service import start
from webapp.teams.visibility import NotAllowed, Principal


def first_steps(principal: Principal) -> Component:
    """Return the field of the survey, for a person without runs."""
    words = "Upload an ONNX or LiteRT file and compare latency and energy in seconds."
    return card(
        "Estimate your network on every device", survey_field(principal), subtitle=words, class_name="home-first"
    )


@cache
def examples() -> Component:
    """Return the questions that one click answers, the same part for everybody."""
    questions = [_question(number, each) for number, each in enumerate(asked_questions())]
    link = dcc.Link("Gallery of finished runs", href="/gallery")
    words = html.Span(["Each example runs in a few seconds. ", link], className="sm t2")
    section = html.Section(
        [
            html.Div([html.H2("Try an example"), words], className="row g12 wrap"),
            html.Div(questions, className="home-questions"),
            html.Div(id=HomeIds.REFUSED, role="status"),
        ],
        className="stack g8 home-examples",
    )
    return kept_part(section)


def _question(number: int, asked: Question) -> Component:
    address = "/new?" + urlencode({"engine": asked.engine, "ready": asked.preset.name})
    return html.Section(
        [
            html.Div(_picture(asked), className="home-question-picture"),
            html.Div(asked.words, className="b"),
            html.Div(f"{get_engine(asked.engine).title}: {asked.preset.title}", className="xs t3"),
            html.Div(
                [
                    button(
                        "Run example", id={"type": HomeIds.QUESTION, "number": number}, icon="player-play", kind="plain",
                        size="small",
                    ),
                    dcc.Link("Edit inputs first", href=address, className="sm"),
                ],
                className="row g12",
            ),
        ],
        className="card home-question",
        **{"aria-label": asked.words},
    )  # fmt: skip


def _picture(asked: Question) -> list[Component]:
    """Return the units of the device that it is about, and what else takes part."""
    slug = asked.preset.inputs.get("hardware", "")
    device = builtin_documents("hardware").get(slug)
    found = load(device.content, "hardware") if device is not None else None
    parts: list[Component] = []
    if isinstance(found, ChipletPackage):
        parts.append(hardware_thumbnail(dataflows_by_row(found), 40))
    if isinstance(found, Soc):
        kinds = tuple(unit_finish(unit.kind) for unit in found.units.values())
        parts.append(hardware_thumbnail((kinds,), 120))
    if "radio" in asked.preset.inputs:
        parts += [icon("route", "m", "t3"), icon("database", "l", "t2")]
    return [*parts, html.Span(className="sp"), icon("chart-scatter", "l", "t3")]


@callback(
    Output(HomeIds.LOCATION, "href", allow_duplicate=True),
    Output(HomeIds.REFUSED, "children"),
    Input({"type": HomeIds.QUESTION, "number": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def answer(clicks: list[int | None]) -> Any:
    """Start the run that answers a question, and go there."""
    principal, chosen = current_user(), clicked_id(clicks)
    if not principal.is_authenticated:
        raise PreventUpdate
    questions = asked_questions()
    if not 0 <= int(chosen["number"]) < len(questions):
        raise PreventUpdate
    asked = questions[int(chosen["number"])]
    try:
        run = start(principal, asked.document(), project=chosen_project(principal), title=asked.preset.title)
    except (EngineError, NotAllowed) as error:
        return no_update, notice(str(error), tone="warn")
    return f"/runs/{run.pk}", ""
