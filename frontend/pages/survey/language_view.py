"""A survey of a language model: times, memory and energy of a conversation on each board, and why others have no estimate."""

from __future__ import annotations

from collections.abc import Sequence

from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.certainty import NumberCertainty
from engines.survey.language.survey_result import LanguageRow, LanguageSurvey
from frontend.components.button import link_button
from frontend.components.card import card
from frontend.components.certainty import certainty_chip
from frontend.components.chip import chip
from frontend.components.name import cut_name
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, integer, many, si, significant
from frontend.pages.survey.address import SurveyQuestion, conversation_form
from frontend.pages.survey.conversation_plots import metric_value
from frontend.pages.survey.without_estimate import devices_without_estimate

_CAVEAT = (
    "One sequence, at the highest clocks or in the power mode. Compare rows of the same certainty. Calibrated rates are fitted to "
    "language models on that board. Data-sheet rates assume shares of published bandwidth and peak."
)
_COLUMNS = (
    Column("Board"), Column("First token", number=True), Column("Tokens per second", number=True),
    Column("Conversation", number=True), Column("Energy per token", number=True), Column("Memory", number=True),
    Column("Largest context", number=True, unit="tokens"), Column("Bits"), Column("Certainty"),
    Column(""),
)  # fmt: skip


def language_view(
    found: LanguageSurvey, asked: SurveyQuestion, version: int = 0, plots: Component | None = None
) -> Component:
    """Return all of it.

    Args:
        found: the survey.
        asked: the devices that are shown.
        version: version of the document; 0 for a built-in one.
        plots: plots of the conversation, with its sliders.
    """
    devices = [each for each in found.devices if asked.device in ("", each.device)]
    able, others = [each for each in devices if each.able], [each for each in devices if not each.able]
    return html.Div(
        [
            _head(found, able, asked, version),
            *[notice(note) for note in found.notes],
            plots,
            _boards(able, asked),
            devices_without_estimate(((each.device, each.title, each.reason) for each in others), closed=bool(able)),
        ],
        className="stack g12",
    )


def _head(found: LanguageSurvey, able: Sequence[LanguageRow], asked: SurveyQuestion, version: int) -> Component:
    model = f"{many(found.layers, 'layer')}, {si(found.parameters, 'parameters')}"
    estimates = many(len(able), "board has", "boards have")
    words = f"{model}; {estimates} an estimate"
    return html.Div(
        [
            html.H2(found.network),
            chip(f"version {version}", title=f"{asked.workload}@{version}") if version else None,
            html.Span(words, className="sm t2"),
            html.Span(className="sp"),
            dcc.Link("Measured and predicted", href="/language-models", className="sm"),
        ],
        className="row g12 wrap",
    )


def _boards(able: Sequence[LanguageRow], asked: SurveyQuestion) -> Component:
    if not able:
        return card("Boards", empty_state("cpu", "No board has an estimate", "Below is why.", level=3))
    table = html.Div(
        plain_table(_COLUMNS, [_row(each, asked) for each in able]), className="table-scroll survey-boards"
    )
    return card("Boards", table, notice(_CAVEAT), subtitle="least time of the conversation first")


def _row(each: LanguageRow, asked: SurveyQuestion) -> tuple[Component | str, ...]:
    name = dcc.Link(cut_name(each.title), href=f"/catalogue/hardware/{each.device}", className="m5")
    sources = "; ".join(dict.fromkeys(filter(None, (each.prefill_source, each.decode_source))))
    assert each.certainty is not None  # of a row with times
    form = conversation_form(each, asked.workload, asked)
    factor = max(filter(None, (each.prefill_error_factor, each.decode_error_factor)), default=None)
    metrics = (
        ("time_to_first_token_s", si(each.time_to_first_token_s, "s")),
        ("decode_tokens_per_s", significant(each.decode_tokens_per_s or 0.0)),
        ("latency_s", si(each.latency_s, "s")),
        ("energy_per_token_j", si(each.energy_per_token_j, "J")),
        ("peak_memory_bytes", si(each.peak_memory_bytes, "B")),
        ("largest_context_tokens", integer(each.largest_context_tokens)),
    )
    return (
        html.Div([name, html.Div(sources, className="xs t2 survey-way")]),
        *[metric_value(words, each.device, metric, each.reason * (words == MISSING)) for metric, words in metrics],
        each.bits or "",
        certainty_chip(NumberCertainty(each.certainty, sources, factor)),
        "" if form is None else link_button("Map stages", form[1], icon="arrow-right", size="small"),
    )
