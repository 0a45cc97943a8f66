"""The parts of the page of measured and predicted language models: pictures, errors of each board, all measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from engines.survey.language.measurements import language_measurements
from engines.survey.language.stage_rates import STAGES
from engines.survey.language.validation import ValidationGroup, ValidationRow
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.table import Column, plain_table
from frontend.figures.hardware.measured_against_predicted import drawn_rows, prediction_figure, prediction_sentence
from frontend.figures.numbers import MISSING, many, percent, significant
from frontend.theme import Scheme

_TITLES = {"prefill": "Time to first token", "decode": "Tokens per second"}
_UNITS = {"prefill": "s", "decode": "1/s"}
_BASELINE = (
    "The baseline says that tokens per second times the memory of the model is one constant of the board. It needs the measured "
    "memory and misses mixtures of experts, which read a part of their weights for each token."
)


def boards_nav(boards: Sequence[str], chosen: str) -> Component:
    """Return links that show one board, or all."""
    links = [
        dcc.Link(
            board or "All",
            href=f"/language-models?board={board}" if board else "/language-models",
            className="on" if board == chosen else "",
        )
        for board in ("", *boards)
    ]
    return html.Nav(links, className="seg language-boards", **{"aria-label": "Boards"})


def pictures(rows: Sequence[ValidationRow], scheme: Scheme) -> list[Component]:
    """Return a scatter plot for each stage that has predictions."""
    parts = []
    for stage in reversed(STAGES):
        drawn = drawn_rows(rows, stage)
        if drawn:
            picture = plot(prediction_figure(drawn, stage, scheme), summary=prediction_sentence(drawn, stage))
            parts.append(
                card(
                    _TITLES[stage], picture, actions=[figure_menu()], subtitle="the dotted line is a perfect prediction"
                )
            )
    return parts  # fmt: skip


def errors_card(groups: Sequence[ValidationGroup]) -> Component:
    """Return the errors of each board, with the baseline."""
    columns = (
        Column("Board"), Column("Bits"), Column("Metric"), Column("Measurements", number=True),
        Column("Median error", number=True), Column("Worst", number=True), Column("Worst model"),
        Column("Baseline, median", number=True), Column("Baseline, worst", number=True),
    )  # fmt: skip
    rows = [
        (
            _board(each.board), each.bits, _TITLES[each.stage], str(each.count), percent(each.error_median, 1),
            percent(each.error_worst, 1), each.worst_model, _optional(each.baseline_median), _optional(each.baseline_worst),
        )
        for each in groups
    ]  # fmt: skip
    table = html.Div(plain_table(columns, rows, tight=True), className="table-scroll")
    return card(
        "Errors of models that a fit has not seen", table, html.P(_BASELINE, className="sm t2 repro-words"),
        subtitle="over measurements whose prompt or context the source states",
    )  # fmt: skip


def rows_card(rows: Sequence[ValidationRow]) -> Component:
    """Return every measurement with prediction, error and source."""
    columns = (
        Column("Model"), Column("Board"), Column("Bits"), Column("Metric"), Column("Measured", number=True),
        Column("Predicted", number=True), Column("Error", number=True), Column("Baseline error", number=True), Column("Source"),
    )  # fmt: skip
    licences = dict.fromkeys(f"{each.source.partition('@')[0]}: {each.licence}" for each in language_measurements())
    table = html.Div(
        plain_table(columns, [_row(each) for each in rows], tight=True), className="table-scroll language-rows"
    )
    return card(
        "Measurements", table, html.P(f"Licences of the sources: {'; '.join(licences)}.", className="sm t2 repro-words"),
        subtitle=many(len(rows), "measurement"),
    )  # fmt: skip


def _row(each: ValidationRow) -> tuple[Any, ...]:
    row, unit = each.row, _UNITS[each.row.stage]
    predicted = each.predicted_value
    words = MISSING if predicted is None else f"{significant(predicted)} {unit}"
    return (
        html.Div([html.Span(row.model), html.Span(_tokens(each), className="xs t3 repro-where")], className="repro-name"),
        _board(row.board), row.bits, _TITLES[row.stage], f"{significant(row.value)} {unit}",
        html.Span(words, title=each.prediction.reason), _signed(each.prediction.error), _signed(each.baseline_error),
        html.Span(row.source, title=f"{row.where}; {row.runtime}; {row.note}; measured on {row.measured_on}", className="xs t2"),
    )  # fmt: skip


def _tokens(each: ValidationRow) -> str:
    """Return prompt or context, or why nothing is predicted."""
    if each.prediction.reason:
        return each.prediction.reason
    named = "prompt" if each.row.stage == "prefill" else "context"
    return f"{named} of {each.row.tokens:,} tokens" + ("" if each.row.stated else ", assumed")


def _board(name: str) -> Component:
    return dcc.Link(name, href=f"/catalogue/hardware/{name}")


def _optional(value: float | None) -> str:
    return MISSING if value is None else percent(value, 1)


def _signed(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{'+' if value > 0 else '−'}{percent(abs(value), 1)}"
