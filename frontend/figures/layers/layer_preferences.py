"""Which dataflow and array size suits each layer: a heat map with a column per layer and a row per choice."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from engines.contract.arrays import FloatArray
from engines.cost.preferences import QUANTITIES, ArrayChoice, LayerPreferences, Quantity
from frontend.figures.drawing import Entry, figure, text_width
from frontend.figures.numbers import integer, many, percent, ratio, si
from frontend.theme import CLEAR, SEQUENTIAL, TOKENS, Scheme, hardware_style, ink_on

Show = Literal["latency", "energy", "edp", "utilisation", "buffer"]

SHOWN: dict[Show, str] = {
    "latency": "Latency",
    "energy": "Energy",
    "edp": "EDP",
    "utilisation": "Utilisation",
    "buffer": "Buffer need",
}
UNITS = {"latency": "s", "energy": "J", "edp": "J·s", "buffer": "B"}
# Ratios above this are as bad as this: the ramp is there to tell the better choices apart.
LARGEST_RATIO = 20.0
_RATIO_TICKS = (1, 2, 5, 10, 20)
_ROW_PX, _TOP_PX, _BOTTOM_PX, _BAR_PX = 20.0, 8.0, 40.0, 92.0
_MOST_TICKS = 16


def choice_title(choice: ArrayChoice, short: bool = False) -> str:
    """Return a choice in words: "NVDLA (kcp_ws), 4 096 PE", with * where it was not checked against MAESTRO."""
    mark = "" if choice.checked else "*"
    style = hardware_style(choice.dataflow).short if choice.dataflow else ""
    name = f"{style} ({choice.mapping}){mark}" if style and not short else f"{style or choice.mapping}{mark}"
    return f"{name}, {integer(choice.processing_elements)} PE"


def quantity_of(show: Show, fallback: Quantity = "edp") -> Quantity:
    """Return the quantity by which choices are ranked while `show` is drawn."""
    return show if show in QUANTITIES else fallback


def preference_figure(
    found: LayerPreferences, show: Show, same_size: bool, selected: int, scheme: Scheme, *, width_px: float = 1000
) -> go.Figure:
    """Return the heat map.

    Args:
        found: the comparison.
        show: ratio to the best choice of a layer (latency, energy, edp), utilisation, or buffer need.
        same_size: ratios to the best of the same array size instead.
        selected: index of the layer whose column is marked.
        scheme: light or dark.
        width_px: width that it will have; decides how many layers are numbered.
    """
    tokens = TOKENS[scheme]
    names, titles = layer_names(found), [choice_title(choice) for choice in found.choices]
    values = shown_values(found, show)
    heat: Entry = {
        "type": "heatmap",
        "x": names,
        "y": titles,
        "text": _texts(found, show, same_size),
        "xgap": 1 if len(names) <= 120 else 0,
        "ygap": 2,
        "colorscale": SEQUENTIAL,
        "hovertemplate": "<b>%{x}</b><br>%{y}<br>%{text}<extra></extra>",
    }
    heat |= _colours(found, show, values, same_size, scheme)
    traces = [heat]
    if show in QUANTITIES:
        traces.append(
            cell_marks(found.ratios(quantity_of(show), same_size).T <= 1.0, names, titles, "circle", 4.5, ink_of_best())
        )
    if show == "buffer":
        traces.append(cell_marks(found.exceeds_buffer().T, names, titles, "x", 7, tokens.bad))
    layout = heat_layout(titles, len(names), selected, scheme, width_px=width_px)
    return figure(scheme, traces, {**layout, "uirevision": found.network.slug})


def heat_layout(
    titles: list[str], columns: int, selected: int, scheme: Scheme, *, width_px: float, name: str = "Layer"
) -> Entry:
    """Return the axes and margins of a heat map with a column per layer and a row per choice.

    Args:
        titles: titles of the rows.
        columns: number of columns.
        selected: column that is framed.
        scheme: light or dark.
        width_px: width that it will have; decides how many columns are numbered.
        name: name of the column.
    """
    left = min(210.0, max(text_width(title, 11) for title in titles)) + 12
    step = max(1, -(-columns // min(_MOST_TICKS, max(2, int(width_px // 70)))))
    ticks = list(range(0, columns, step))
    return {
        "height": heat_height(len(titles)),
        "margin": {"l": left, "r": _BAR_PX, "t": _TOP_PX, "b": _BOTTOM_PX},
        "xaxis": {"type": "category", "tickvals": ticks, "ticktext": [str(i + 1) for i in ticks],
                  "title": {"text": name}, "showgrid": False,
                  "range": [-0.5, columns - 0.5], "fixedrange": False, "ticks": "", "showline": False},
        "yaxis": {"type": "category", "dtick": 1, "showgrid": False, "ticks": "", "showline": False,
                  "autorange": "reversed", "fixedrange": True},
        "shapes": [column_frame(selected, len(titles), TOKENS[scheme].accent)] if 0 <= selected < columns else [],
    }  # fmt: skip


def heat_height(rows: int) -> float:
    """Return the height in pixels of a heat map of that many rows."""
    return _TOP_PX + _BOTTOM_PX + _ROW_PX * max(rows, 4)


def preference_height(found: LayerPreferences) -> float:
    """Return the height of the heat map in pixels."""
    return heat_height(len(found.choices))


def preference_sentence(found: LayerPreferences, quantity: Quantity) -> str:
    """Return a sentence with the number of layers that prefer each choice, the most frequent first."""
    best = found.best(quantity)
    counts = {choice_title(choice, short=True): int((best == i).sum()) for i, choice in enumerate(found.choices)}
    ranked = sorted((item for item in counts.items() if item[1]), key=lambda item: -item[1])
    words = ", ".join(f"{name} suits {count}" for name, count in ranked[:4])
    return f"{SHOWN[quantity]} of {many(len(best), 'layer')} of {found.network.title}: {words}."


def shown_values(found: LayerPreferences, show: Show) -> FloatArray:
    """Return the values of the heat map in stored units, shape `n x m`."""
    if show == "utilisation":
        return found.utilisation
    if show == "buffer":
        return found.buffer_need_bytes
    return found.values(show)


def _colours(found: LayerPreferences, show: Show, values: FloatArray, same_size: bool, scheme: Scheme) -> Entry:
    bar: Entry = {
        "thickness": 8, "outlinewidth": 0, "len": 1, "xpad": 8, "tickfont": {"size": 11, "color": TOKENS[scheme].text2},
    }  # fmt: skip
    if show == "utilisation":
        ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
        bar |= {"tickvals": ticks, "ticktext": [percent(tick) for tick in ticks]}
        return {"z": np.round(values.T, 4), "zmin": 0, "zmax": 1, "colorbar": bar}
    if show == "buffer":
        logs = np.log10(np.maximum(values.T, 1.0))
        powers = list(range(int(np.floor(logs.min())), int(np.ceil(logs.max())) + 1))
        bar |= {"tickvals": powers, "ticktext": [si(10.0**power, "B") for power in powers]}
        return {"z": np.round(logs, 3), "colorbar": bar}
    return ratio_colours(found.ratios(show, same_size).T, scheme)


def ratio_colours(ratios: FloatArray, scheme: Scheme) -> Entry:
    """Return the cells coloured by their ratio to the best choice, shape `m x n`; NaN is left out."""
    logs = np.round(np.log10(np.minimum(ratios, LARGEST_RATIO)), 3)
    words = [f"{tick} ×" if tick < LARGEST_RATIO else f"≥ {tick} ×" for tick in _RATIO_TICKS]
    bar: Entry = {
        "thickness": 8, "outlinewidth": 0, "len": 1, "xpad": 8, "tickfont": {"size": 11, "color": TOKENS[scheme].text2},
        "tickvals": [float(np.log10(tick)) for tick in _RATIO_TICKS], "ticktext": words,
    }  # fmt: skip
    zmax = float(np.log10(LARGEST_RATIO))
    # Reversed: the best choice is the lightest, in both schemes, and carries a dark dot.
    return {"z": logs, "zmin": 0, "zmax": zmax, "reversescale": True, "colorbar": bar}


def _texts(found: LayerPreferences, show: Show, same_size: bool) -> list[list[str]]:
    """Return what a cell says on hover besides layer and choice: the value, and its ratio to the best."""
    values = shown_values(found, show)
    ratios = found.ratios(quantity_of(show), same_size) if show in QUANTITIES else None
    if show == "utilisation":
        return [[percent(value) for value in row] for row in values.T.tolist()]
    unit = UNITS[show]
    words = [[si(value, unit) for value in row] for row in values.T.tolist()]
    if ratios is None:
        return words
    return [
        [f"{value}, {ratio(times)}" for value, times in zip(row, times_row, strict=True)]
        for row, times_row in zip(words, ratios.T.tolist(), strict=True)
    ]


def cell_marks(
    where: npt.NDArray[np.bool_], names: list[str], titles: list[str], symbol: str, size: float, colour: str
) -> Entry:
    """Return a mark in every cell of `where`, shape `m x n`; on an axis of names, numbers would be names of their own."""
    rows, columns = np.nonzero(where)
    return {
        "type": "scattergl" if len(rows) > 2000 else "scatter",
        "mode": "markers",
        "x": [names[column] for column in columns],
        "y": [titles[row] for row in rows],
        "marker": {"symbol": symbol, "size": size, "color": colour},
        "hoverinfo": "skip",
    }


def ink_of_best() -> str:
    """Return the colour of the dots, which lie on the light end of the ramp."""
    return ink_on(get_colorscale(SEQUENTIAL)[-1][1])


def column_frame(selected: int, rows: int, colour: str) -> Entry:
    """Return a frame around a column."""
    return {
        "type": "rect", "x0": selected - 0.5, "x1": selected + 0.5, "y0": -0.5, "y1": rows - 0.5,
        "line": {"color": colour, "width": 2}, "fillcolor": CLEAR,
    }  # fmt: skip


def layer_names(found: LayerPreferences) -> list[str]:
    """Return the numbers and names of the layers, as axis and pickers list them."""
    return [f"{layer.index + 1} {layer.name}" for layer in found.network.layers]
