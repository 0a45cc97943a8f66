"""Which unit of a system on a chip suits each operation: a heat map with a column per operation and a row per unit."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.cost.preferences import Quantity
from engines.cost.unit_preferences import UnitPreferences
from frontend.figures.drawing import Entry, figure
from frontend.figures.layers.layer_preferences import (
    SHOWN,
    UNITS,
    cell_marks,
    heat_height,
    heat_layout,
    ink_of_best,
    ratio_colours,
)
from frontend.figures.numbers import many, ratio, si
from frontend.theme import SEQUENTIAL, TOKENS, Scheme


def unit_names(found: UnitPreferences) -> list[str]:
    """Return the numbers and names of the operations, as the axis and the picker list them."""
    return [f"{place + 1} {name}" for place, name in enumerate(found.operations.names)]


def unit_figure(
    found: UnitPreferences, quantity: Quantity, selected: int, scheme: Scheme, *, width_px: float = 1000
) -> go.Figure:
    """Return the heat map: a dot marks the preferred unit, a ring one preferred within the calibration's error, a cross no figure.

    Args:
        found: the comparison.
        quantity: compared quantity.
        selected: place of the operation whose column is framed.
        scheme: light or dark.
        width_px: width that it will have; decides how many operations are numbered.
    """
    names, titles, tokens = unit_names(found), list(found.units), TOKENS[scheme]
    supported, best, clear = found.supported.T, found.best(quantity), found.clear(quantity)
    chosen = np.arange(len(titles))[:, None] == best[None, :]
    heat: Entry = {
        "type": "heatmap", "x": names, "y": titles, "text": _texts(found, quantity), "xgap": 1 if len(names) <= 120 else 0,
        "ygap": 2, "colorscale": SEQUENTIAL, "hovertemplate": "<b>%{x}</b><br>%{y}<br>%{text}<extra></extra>",
        "hoverongaps": False,
    } | ratio_colours(found.ratios(quantity).T, scheme)  # fmt: skip
    # Marks of neighbours must not touch.
    size = min(6.0, max(2.0, 0.7 * width_px / len(names)))
    missing = cell_marks(~supported, names, titles, "x-thin", size, tokens.text3)
    missing["marker"] |= {"line": {"width": 1.2, "color": tokens.text3}}
    missing |= {"hoverinfo": "text", "hovertext": _reasons(found), "hovertemplate": "%{hovertext}<extra></extra>"}
    faint = cell_marks(chosen & ~clear[None, :], names, titles, "circle-open", size, ink_of_best())
    marks = [cell_marks(chosen & clear[None, :], names, titles, "circle", 0.75 * size, ink_of_best()), faint, missing]
    layout = heat_layout(titles, len(names), selected, scheme, width_px=width_px, name="Operation")
    return figure(scheme, [heat, *marks], {**layout, "uirevision": f"{found.network.slug} {found.soc.slug}"})


def unit_height(found: UnitPreferences) -> float:
    """Return the height of the heat map in pixels."""
    return heat_height(len(found.units))


def unit_sentence(found: UnitPreferences, quantity: Quantity) -> str:
    """Return a sentence with the number of operations that prefer each unit, and of those without an estimate."""
    counts = [(unit, total.preferred) for unit, total in found.totals(quantity).items() if total.preferred]
    words = ", ".join(f"{unit} suits {count}" for unit, count in sorted(counts, key=lambda item: -item[1]))
    nowhere = int((~found.supported.any(axis=1)).sum())
    lost = f"; {nowhere} have no estimate on any unit" if nowhere else ""
    head = (
        f"{SHOWN[quantity]} of {many(len(found.operations), 'operation')} of {found.network.title} on {found.soc.title}"
    )
    return f"{head}: {words or 'none has an estimate'}{lost}."


def _texts(found: UnitPreferences, quantity: Quantity) -> list[list[str]]:
    values, ratios, unit = found.values(quantity).T, found.ratios(quantity).T, UNITS[quantity]
    return [
        [f"{si(value, unit)}, {ratio(times)}" if np.isfinite(value) else "" for value, times in zip(row, times_row, strict=True)]
        for row, times_row in zip(values.tolist(), ratios.tolist(), strict=True)
    ]  # fmt: skip


def _reasons(found: UnitPreferences) -> list[str]:
    """Return why each cell without a figure has none, in the order of the marks."""
    rows, columns = np.nonzero(~found.supported.T)
    reasons = found.reasons
    return [reasons.get((int(place), found.units[row]), "no figure") for row, place in zip(rows, columns, strict=True)]
