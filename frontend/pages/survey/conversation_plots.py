"""Plots of a conversation with a language model: sliders of prompt and answer move them in the browser."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, State, clientside_callback, dcc, html
from dash.development.base_component import Component

from engines.contract.certainty import Certainty
from engines.survey.language.coefficients import COMPARED_BITS
from engines.survey.language.survey_result import LanguageSurvey
from frontend.components.card import card
from frontend.components.certainty import certainty_legend
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.table import Column, plain_table
from frontend.figures.hardware.conversation import conversation_front, layer_roofline, memory_by_context, token_timeline
from frontend.figures.numbers import integer
from frontend.ids.conversation import ConversationIds
from frontend.ids.survey import SurveyIds
from frontend.theme import Scheme

STEPS = 1000
LONGEST_TOKENS = 131_072  # of the sliders, where the configuration does not say what the model takes
_BITS_COLUMNS = (
    Column("Bits"), Column("First token", number=True), Column("Tokens per second", number=True),
    Column("Energy per token", number=True), Column("Memory", number=True), Column("Largest context", number=True, unit="tokens"),
    Column("Certainty"), Column("Note"),
)  # fmt: skip
_BITS_METRICS = (
    "time_to_first_token_s", "decode_tokens_per_s", "energy_per_token_j", "peak_memory_bytes", "largest_context_tokens",
    "certainty", "reason",
)  # fmt: skip


def slider_step(tokens: int, most_tokens: int) -> float:
    """Return the position of a slider from 0 to `STEPS`: logarithmic, so that short prompts are as easy to set as long ones."""
    return STEPS * math.log(max(1, min(tokens, most_tokens))) / math.log(most_tokens)


def metric_value(words: str, board: str, metric: str, reason: str = "") -> Component:
    """Return a number of the table that follows the sliders.

    Args:
        words: the number with its unit.
        board: name of the document.
        metric: field of `LanguageRow`.
        reason: why it is missing; "" where it is known.
    """
    return html.Span(
        words, className="conversation-value", title=reason, **{"data-board": board, "data-metric": metric}
    )


def conversation_plots(
    found: LanguageSurvey, coefficients: Mapping[str, Any], device: str, scheme: Scheme
) -> Component | None:
    """Return sliders and plots; None where no board has an estimate.

    Args:
        found: the survey, whose prompt and answer the sliders begin with.
        coefficients: `ConversationCoefficients` as JSON-able data.
        device: name of the only board that is shown; "" for all.
        scheme: light or dark.
    """
    boards = {name: each for name, each in coefficients["boards"].items() if device in ("", name)}
    able = [name for name, each in boards.items() if each["units"][each["bits"]]]
    if not able:
        return None
    most = max(2, coefficients["context_tokens"] or LONGEST_TOKENS)
    given = {
        **coefficients, "boards": boards, "most_tokens": most, "steps": STEPS, "prompt_tokens": found.prompt_tokens,
        "answer_tokens": found.answer_tokens,
    }  # fmt: skip
    words = [unit["certainty"] for name in able for unit in boards[name]["units"][boards[name]["bits"]]]
    first = next((each.device for each in found.devices if each.device in able), able[0])
    order = {each.device: place for place, each in enumerate(found.devices)}
    choices = [
        {"value": name, "label": boards[name]["title"]} for name in sorted(able, key=lambda n: order.get(n, len(order)))
    ]
    return html.Div(
        [
            dcc.Store(id=ConversationIds.COEFFICIENTS, data=given),
            _sliders(found, most, choices, first),
            html.Div([_front_card(words, scheme), _timeline_card(scheme)], className="survey-conversation"),
            html.Div([_memory_card(scheme), _roofline_card(scheme)], className="survey-conversation"),
            _bits_card(),
        ],
        className="stack g12",
    )


def _sliders(found: LanguageSurvey, most: int, choices: list[dict[str, str]], first: str) -> Component:
    sliders = [
        html.Div(
            [
                html.Div(
                    [html.Span(title, className="sm t2"), html.Span(integer(tokens), id=text, className="sm b num nw")],
                    className="row between",
                ),
                html.Label([
                    html.Span(title, className="visually-hidden"),
                    dcc.Input(id=name, type="range", min=0, max=STEPS, step="any", value=slider_step(tokens, most), debounce=True,
                              className="conversation-range"),
                ]),
            ],
            className="survey-slider",
        )
        for title, name, text, tokens in (
            ("Prompt tokens", ConversationIds.PROMPT, ConversationIds.PROMPT_TEXT, found.prompt_tokens),
            ("Answer tokens", ConversationIds.ANSWER, ConversationIds.ANSWER_TEXT, found.answer_tokens),
        )
    ]  # fmt: skip
    board = dmc.Select(
        id=ConversationIds.BOARD, data=choices, value=first, label="Board of the plots", searchable=True, allowDeselect=False,
        size="xs",
    )  # fmt: skip
    words = html.Div(id=ConversationIds.SENTENCE, className="sm t2")
    return card("Conversation", html.Div([*sliders, board], className="survey-sliders"), words,
                subtitle="Drag: tables and plots follow.")  # fmt: skip


def _front_card(certainties: Iterable[Certainty], scheme: Scheme) -> Component:
    words = "Boards by time to first token and tokens per second; the front is at the upper left."
    drawn = plot(conversation_front(scheme), id=ConversationIds.FRONT, summary=words)
    legend = html.Div(certainty_legend(certainties), className="row g12 wrap survey-legend")
    return card("Front across boards", drawn, legend, actions=[figure_menu()], subtitle="Click a board to select it.")


def _timeline_card(scheme: Scheme) -> Component:
    words = "Prefill as a block, tokens of the answer as a comb, cache as an area, over time."
    drawn = plot(token_timeline(scheme), id=ConversationIds.TIMELINE, summary=words)
    caveat = html.Div("Tokens of the answer come at their mean rate. An empty plot: the time to the first token is unknown "
                      "or the memory is too small.", className="xs t3")  # fmt: skip
    return card("Token timeline", drawn, caveat, actions=[figure_menu()])


def _memory_card(scheme: Scheme) -> Component:
    words = "Weights, KV cache and activations of one layer against context length, with the memory of the device."
    drawn = plot(memory_by_context(scheme), id=ConversationIds.MEMORY, summary=words)
    caveat = html.Div(
        "No line: the memory of the board is unknown. The cross marks the largest context that fits.", className="xs t3"
    )
    return card("Memory by context", drawn, html.Div(caveat, className="xs t3"), actions=[figure_menu()])


def _roofline_card(scheme: Scheme) -> Component:
    words = (
        "Kinds of layers in prefill and decode by operations per byte and rate, below the roofs of the compute unit."
    )
    drawn = plot(layer_roofline(scheme), id=ConversationIds.ROOFLINE, summary=words)
    caveat = (
        "Traffic: weights and cache. Rates: the smaller of the two bounds that the estimate uses, without the start of layers. "
        "Kinds of layers at the same place share a mark."
    )
    return card("Roofline", drawn, html.Div(caveat, className="xs t3"), actions=[figure_menu()])


def _bits_card() -> Component:
    rows = [
        [
            html.Span(bits, className="m5 nw"),
            *[
                html.Span(className="conversation-value", **{"data-bits": bits, "data-metric": metric})
                for metric in _BITS_METRICS
            ],
        ]
        for bits in COMPARED_BITS
    ]
    table = html.Div(plain_table(_BITS_COLUMNS, rows), className="table-scroll survey-bits")
    return card("Bit widths", table, subtitle="of the selected board, weights and activations", flush=True)


clientside_callback(
    ClientsideFunction("conversation", "show"),
    Output(ConversationIds.COEFFICIENTS, "modified_timestamp"),
    Input(ConversationIds.COEFFICIENTS, "data"),
    Input(ConversationIds.BOARD, "value"),
    State(SurveyIds.PROMPT, "value"),
    State(SurveyIds.ANSWER, "value"),
)

clientside_callback(
    ClientsideFunction("conversation", "typed"),
    Output(SurveyIds.ASKED, "modified_timestamp"),
    Input(SurveyIds.PROMPT, "value"),
    Input(SurveyIds.ANSWER, "value"),
    prevent_initial_call=True,
)

clientside_callback(
    ClientsideFunction("conversation", "choose"),
    Output(ConversationIds.BOARD, "value"),
    Input(ConversationIds.FRONT, "clickData"),
    prevent_initial_call=True,
)
