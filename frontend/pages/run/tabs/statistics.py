"""The columns of a run's designs in figures: extremes, quartiles, what is missing, and how values spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.quantities import Quantity
from frontend.components.button import link_button
from frontend.components.card import card
from frontend.components.states import empty_state
from frontend.components.static_part import static_part
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import LimitScale, RunDesigns
from frontend.figures.numbers import decimals_for, fixed, integer, many, percent, scale_of
from frontend.figures.statistics.histogram import binned
from frontend.glossary import metric_address
from frontend.pages.run.front.rail import histogram

BINS = 24
_ROLES = {"objective": "objective", "constraint": "constraint", "metric": "", "decision": "decision"}


@dataclass(frozen=True)
class ColumnStatistics:
    """One column over `n` designs.

    Attributes:
        quantity: quantity of the column.
        count: number of values; infinite ones count as missing.
        missing_fraction: share of the designs without a value.
        quartiles: least, first quartile, median, third quartile and largest; NaN without values.
        counts: values per bin of equal width between least and largest.
    """

    quantity: Quantity
    count: int
    missing_fraction: float
    quartiles: tuple[float, float, float, float, float]
    counts: tuple[int, ...]


def column_statistics(designs: RunDesigns) -> tuple[ColumnStatistics, ...]:
    """Return every column of the designs, baselines included, in the engine's order."""
    found = []
    for quantity in designs.quantities:
        values = designs.columns[quantity.name]
        finite = values[np.isfinite(values)]
        missing = 1 - len(finite) / len(values) if len(values) else 0.0
        if not len(finite):
            found.append(ColumnStatistics(quantity, 0, missing, (float("nan"),) * 5, ()))
            continue
        least, first, median, third, most = (float(v) for v in np.quantile(finite, (0, 0.25, 0.5, 0.75, 1)))
        counts, _ = binned(finite, BINS)
        spread = tuple(int(count) for count in counts)
        found.append(ColumnStatistics(quantity, len(finite), missing, (least, first, median, third, most), spread))
    return tuple(found)


def statistics_section(run_id: int, engine: str, designs: RunDesigns) -> Component:
    """Return the designs as files, and their columns in figures."""
    base = f"/api/v1/runs/{run_id}/designs"
    files = [
        link_button(words, f"{base}.{ending}", icon="download", size="small")
        for words, ending in (("CSV", "csv"), ("Parquet", "parquet"), ("Arrow", "arrow"), ("JSON", "json"))
    ]
    if not len(designs):
        return card(
            "Designs", empty_state("table", "No designs yet", "Columns appear with the first designs.", level=3)
        )
    words = f"{many(len(designs), 'design')}, {many(len(designs.quantities), 'column')}"
    table = static_part(_table(engine, column_statistics(designs)), className="table-scroll")
    return card("Designs in figures", table, subtitle=words, actions=files, flush=True)


def _table(engine: str, statistics: tuple[ColumnStatistics, ...]) -> Component:
    heads = [Column("Column"), Column("Unit"), Column("Spread")]
    heads += [Column(t, number=True) for t in ("Least", "Quartile", "Median", "Quartile", "Largest", "Missing")]
    return plain_table(heads, [_row(engine, one) for one in statistics], tight=True)


def _row(engine: str, one: ColumnStatistics) -> list[Component | str]:
    finite = [value for value in one.quartiles if np.isfinite(value)]
    scale = scale_of(finite or [0.0], one.quantity.unit)
    values = [value * scale.factor for value in one.quartiles]
    places = decimals_for([abs(value) for value in values if np.isfinite(value)])
    role = html.Span(f" {_ROLES[one.quantity.role]}", className="t3 xs")
    address = metric_address(engine, one.quantity.name)
    name = html.Span([html.A(one.quantity.title, href=address, title=one.quantity.help or one.quantity.name), role])
    cells = [fixed(value, places) if np.isfinite(value) else "–" for value in values]
    return [
        name,
        scale.unit or "–",
        _spread(one),
        *cells,
        percent(one.missing_fraction) if one.missing_fraction else "–",
    ]


def _spread(one: ColumnStatistics) -> Component | str:
    if len(one.counts) < 2:
        return html.Span("all equal", className="t3 xs") if one.counts else "–"
    shape = histogram(LimitScale(one.quantity, one.quartiles[0], one.quartiles[4], one.counts))
    words = f"Histogram of {one.quantity.title.lower()}: {integer(max(one.counts))} in the fullest of {BINS} bins"
    return html.Div(
        html.Div(style={"clipPath": shape}, className="spread-bars"),
        className="spread",
        role="img",
        title="Heights by square root",
        **{"aria-label": words},
    )
