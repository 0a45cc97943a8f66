"""The device survey: one network on every board and package, within seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import dash
from dash import Input, Output, State, callback, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError, ProblemError
from engines.survey.language.work import Conversation
from engines.survey.survey_result import SurveyOptions
from frontend.components.items.deleted_item import gone_lines
from frontend.components.states import notice, skeleton
from frontend.ids.shell import ShellIds
from frontend.ids.survey import SurveyIds
from frontend.ids.upload import UploadIds
from frontend.pages.survey.address import (
    SurveyQuestion,
    conversation_of,
    file_words,
    read_file,
    read_network,
    survey_address,
)
from frontend.pages.survey.conversation_plots import conversation_plots
from frontend.pages.survey.field import options_row, survey_field
from frontend.pages.survey.language_view import language_view
from frontend.pages.survey.view import found_view
from frontend.request import current_user
from frontend.theme import Scheme
from webapp.catalogue.language_surveys import is_language_workload, language_coefficients_of, language_survey_of
from webapp.catalogue.service import DocumentEntry, get_entry
from webapp.catalogue.surveys import survey_of
from webapp.deletions.service import deleted_among
from webapp.gallery.networks import network_called
from webapp.teams.permissions import somebody
from webapp.teams.visibility import Principal

_HEIGHT_PX = 460
_EXAMPLES = {
    "resnet50": "ResNet-50",
    "yolo11n": "YOLO11n",
    "whisper-base-encoder": "Whisper base encoder",
    "qwen3-0-6b-prefill-128": "Qwen3 0.6B",
}
_EVERY = "Latency and energy on every board and package that can run it"


def layout(**query: str) -> Component:
    """Return the page for the signed-in user; what is asked stands in the address."""
    principal = current_user()
    if not somebody(principal):
        return html.Div()
    asked = SurveyQuestion.read(query)
    board = _document(principal, lambda person, name: get_entry(person, "hardware", name), asked.device)
    workload = _document(principal, network_called, asked.workload)
    head = html.Div(
        [
            html.H1(f"Estimate your network on {board.title}" if board else "Estimate your network on every device"),
            html.Span("Latency and energy on this device" if board else _EVERY, className="sm t2"),
        ],
        className="row g12 wrap survey-head",
    )
    waiting = skeleton(_HEIGHT_PX) if asked.workload else None
    return html.Div(
        [
            head,
            survey_field(principal, asked),
            options_row(principal, asked, language=bool(workload and is_language_workload(workload)))
            if asked.workload
            else examples(asked),
            html.Div(
                waiting, id=SurveyIds.FOUND, **{"aria-live": "polite", "aria-busy": str(bool(asked.workload)).lower()}
            ),
        ],
        className="page survey",
    )


def examples(asked: SurveyQuestion) -> Component:
    """Return links to surveys of built-in networks, for visitors without a file."""
    links = [
        dcc.Link(title, href=survey_address(replace(asked, workload=name)), className="btn small")
        for name, title in _EXAMPLES.items()
    ]
    return html.Div(
        [html.Span("Or try one of these:", className="sm t2"), *links], className="row g8 wrap survey-options"
    )


def _document(principal: Principal, get: Callable[[Principal, str], DocumentEntry], name: str) -> DocumentEntry | None:
    try:
        return get(principal, name) if name else None
    except ProblemError:
        return None


dash.register_page(__name__, path="/survey", name="Device survey", title="Device survey · Paretoscope", layout=layout)


@callback(
    Output(SurveyIds.FOUND, "children"),
    Output(SurveyIds.FOUND, "aria-busy"),
    Input(SurveyIds.ASKED, "data"),
    Input(ShellIds.SCHEME, "data"),
    State(ShellIds.VIEWPORT, "data"),
)
def show_survey(data: dict[str, Any] | None, scheme: Scheme, viewport: Mapping[str, int]) -> Any:
    """Show what the survey found, or why there is none."""
    principal, asked = current_user(), SurveyQuestion.read(data)
    if not asked.workload or not somebody(principal):
        raise PreventUpdate
    name = asked.workload
    try:
        entry = network_called(principal, name)
        options, version = SurveyOptions(asked.bits, asked.mode), 0 if entry.builtin else entry.version
        if is_language_workload(entry):
            conversation = conversation_of(asked)
            surveyed = language_survey_of(principal, entry, conversation, options)
            coefficients = language_coefficients_of(principal, entry, conversation.cache_bits, options)
            plots = conversation_plots(surveyed, coefficients, asked.device, scheme)
            words = file_words(asked.file, name)
            return [notice(words) if words else None, language_view(surveyed, asked, version, plots)], "false"
        found = survey_of(principal, entry, options)
    except (ProblemError, EngineError) as error:
        gone = gone_lines(principal, deleted_among(principal, "document", [f"workload/{name}"]))
        return notice(html.Div(gone) if gone else str(error), tone="warn"), "false"
    words = file_words(asked.file, name)
    view = found_view(found, asked, scheme, int(viewport["width"]), version)
    return [notice(words) if words else None, view], "false"


@callback(
    Output(SurveyIds.LOCATION, "href"),
    Input(SurveyIds.NETWORK, "value"),
    Input(UploadIds.ANSWER, "data"),
    State(SurveyIds.ASKED, "data"),
    prevent_initial_call=True,
)
def go(network: str | None, answer: Any, data: dict[str, Any] | None) -> Any:
    """Go to the survey of a network that was picked, or of a file that was read whole."""
    file, asked = "", SurveyQuestion.read(data)
    if dash.ctx.triggered_id == UploadIds.ANSWER and (network := read_network(answer)):
        file = read_file(answer)
    if not network or (not file and network == asked.workload):
        return no_update
    return survey_address(replace(asked, workload=network, show="", file=file))


@callback(
    Output(SurveyIds.LOCATION, "href", allow_duplicate=True),
    Input(SurveyIds.BITS, "value"),
    Input(SurveyIds.MODE, "value"),
    Input(SurveyIds.CACHE_BITS, "value"),
    State(SurveyIds.PROMPT, "value"),
    State(SurveyIds.ANSWER, "value"),
    State(SurveyIds.ASKED, "data"),
    prevent_initial_call=True,
)
def ask_otherwise(
    bits: str | None, mode: str | None, cache: str | None, prompt: Any, answer: Any, data: dict[str, Any] | None
) -> Any:
    """Go to the survey of the same network in other bits, in another power mode, or with another cache.

    Prompt and answer move in the browser (assets/conversation.js).
    """
    asked, usual = SurveyQuestion.read(data), Conversation()
    numbers = ((prompt, usual.prompt_tokens), (answer, usual.answer_tokens), (cache, f"{usual.cache_bits:g}"))
    conversation = ["" if value in (None, "", standard) else str(value) for value, standard in numbers]
    shown = dict(zip(("prompt", "answer", "cache"), conversation, strict=True))
    wanted = replace(asked, bits=bits or "", mode=mode or "", file="", **shown)
    return no_update if wanted == replace(asked, file="") else survey_address(wanted)
