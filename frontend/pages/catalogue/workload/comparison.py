"""The frame of a comparison on the page of a workload: controls, heat map, below it the totals and one picked row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from frontend.components.card import card_title
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import notice
from frontend.components.table import Column, plain_table

# Page gutters, the list at the left, gap and borders.
_BESIDE_HEAT_PX = 32 + 248 + 12 + 2
_LEAST_HEAT_PX = 480


@dataclass(frozen=True)
class ComparisonView:
    """The parts that are drawn again when a control changes; `totals` and `detail` are None where there is nothing to draw."""

    legend: list[Component]
    heat: Component
    totals: Component | None = None
    detail: Component | None = None


@dataclass(frozen=True)
class ComparisonFrame:
    """Headings and ids of one kind of comparison.

    Attributes:
        title: title of the card with the heat map.
        totals_title: title of the card at the lower left.
        detail_title: what the card of the picked row is called aloud.
        legend, heat, totals, detail: ids of the parts that follow the controls.
    """

    title: str
    totals_title: str
    detail_title: str
    legend: str
    heat: str
    totals: str
    detail: str

    def drawn(
        self,
        view: ComparisonView,
        shown: Sequence[Component],
        pickers: Sequence[Component],
        detail_head: Sequence[Component],
    ) -> Component:
        """Return the three cards.

        Args:
            view: content below the controls.
            shown: controls in the head of the heat map's card.
            pickers: controls below it.
            detail_head: heading of the picked row's card and the controls that pick it.
        """
        head = [card_title(self.title), html.Span(className="sp"), *shown, figure_menu()]
        heat = [
            html.Div(head, className="ch layers-head"),
            html.Div(list(pickers), className="row wrap layers-pickers"),
            html.Div(view.legend, id=self.legend, className="layers-legend"),
            html.Div(view.heat, id=self.heat),
        ]
        totals = [
            html.Div(card_title(self.totals_title), className="ch"),
            html.Div(view.totals, id=self.totals),
        ]
        detail = [
            html.Div(list(detail_head), className="ch"),
            html.Div(view.detail, id=self.detail, **{"aria-live": "polite"}),
        ]
        lower = [_section(self.totals_title, totals), _section(self.detail_title, detail)]
        return html.Div([_section(self.title, heat), html.Div(lower, className="layers-lower")], className="stack g12")


def _section(label: str, children: list[Component]) -> Component:
    return html.Section(children, className="card", **{"aria-label": label})


def no_heat(words: str, *, wrong: bool) -> Component:
    """Return the text in place of the heat map: why there is none."""
    return html.Div(notice(words, tone="warn") if wrong else notice(words), className="layers-error")


def heat_width_px(viewport_px: int) -> int:
    """Return the room for the heat map in a window of that width."""
    return max(_LEAST_HEAT_PX, viewport_px - _BESIDE_HEAT_PX)


def segments(control_id: str, options: Mapping[Any, str], value: str, label: str) -> Component:
    """Return a choice of one of few, side by side."""
    data = [{"value": name, "label": words} for name, words in options.items()]
    control: Component = dmc.SegmentedControl(id=control_id, data=data, value=value, size="xs", **{"aria-label": label})
    return control


def one_of(
    control_id: str, data: list[dict[str, str]], value: str | None, label: str, width: int, **more: Any
) -> Component:
    """Return a choice of one of many, which can be searched."""
    control: Component = dmc.Select(
        id=control_id, data=data, value=value, searchable=True, allowDeselect=False, w=width, **more, **{"aria-label": label}
    )  # fmt: skip
    return control


def labelled(label: str, control: Component) -> Component:
    """Return a control with its name before it."""
    return html.Span([html.Span(label, className="sm t3"), control], className="row")


def choices_table(first: str, heads: Sequence[str], rows: Sequence[Any], *, selected: int | None) -> Component:
    """Return a table of choices with a column of names and columns of numbers; one row stands out."""
    columns = [Column(first), *(Column(head, number=bool(head)) for head in heads)]
    return html.Div(plain_table(columns, rows, tight=True, selected=selected), className="table-scroll layers-table")


def remark(words: Any) -> Component:
    """Return the small words below a table or a figure."""
    return html.Div(words, className="xs t3 layers-note")
