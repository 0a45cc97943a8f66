"""Rooflines of a system on a chip: the highest rate of each compute unit and bit width over operations per byte of DRAM traffic.

Below the ridge the bandwidth of the shared memory limits, above it the dense peak of the unit. Rates are at the highest clocks of
a power mode, of all units of a kind together; burst or sustained clocks of a device are lower where its power mode says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import plotly.graph_objects as go

from frontend.figures.drawing import Entry, figure
from frontend.figures.front.front import axis_layout
from frontend.figures.lines import axis_name
from frontend.figures.numbers import si, significant
from frontend.theme import RUNS, TOKENS, Scheme
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

HEIGHT_PX = 330
_MARGIN = {"l": 56, "r": 168, "t": 34, "b": 44}
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_LABEL_PX = 14.0
_WIDER = 10.0  # of the axis beyond the ridges


@dataclass(frozen=True)
class Roof:
    """The roof of a unit in the bit widths that it executes at the same rate.

    Attributes:
        unit: its name in the document.
        label: "2 DLA int8" or "GPU fp16, bf16".
        operations_per_s: dense peak of all units of that name.
        bytes_per_s: bandwidth of the shared memory.
    """

    unit: str
    label: str
    operations_per_s: float
    bytes_per_s: float

    @property
    def ridge(self) -> float:
        """Operations per byte from which on the peak limits."""
        return self.operations_per_s / self.bytes_per_s


def rooflines(soc: Soc, mode: str | None = None) -> tuple[Roof, ...]:
    """Return the roofs of all units that a power mode leaves on, highest first; none where no peak or bandwidth is known."""
    clock = soc.memory_clock_in_mode(mode)
    if soc.memory is None or clock is None:
        return ()
    bandwidth, roofs = soc.memory.bandwidth_bytes_per_s(clock), []
    for name, unit in soc.units.items():
        names: dict[float, list[str]] = {}
        for precision in unit.operations_per_cycle:
            names.setdefault(soc.peak_in_mode(name, precision, mode), []).append(precision)
        title = f"{unit.count} {unit_title(name)}" if unit.count > 1 else unit_title(name)
        roofs += [Roof(name, f"{title} {', '.join(each)}", peak, bandwidth) for peak, each in names.items() if peak]
    return tuple(sorted(roofs, key=lambda roof: -roof.operations_per_s))


def roofline_figure(soc: Soc, mode: str | None, scheme: Scheme) -> go.Figure:
    """Return both axes logarithmic, a line per roof with its name and peak at the right; colours tell units, dashes bit widths.

    Raises:
        KeyError: the device has no such mode.
        ValueError: no roof is known.
    """
    roofs = rooflines(soc, mode)
    low, high = min(roof.ridge for roof in roofs) / _WIDER, max(roof.ridge for roof in roofs) * _WIDER
    bandwidth, top = roofs[0].bytes_per_s, roofs[0].operations_per_s
    # Both ends of the rate in units of 10^12.
    span = (low * bandwidth / 1e12, top * 2 / 1e12)
    units, drawn = list(soc.units), dict.fromkeys(soc.units, 0)
    traces: list[Entry] = []
    for roof in roofs:
        style = RUNS[units.index(roof.unit) % len(RUNS)]
        dash, drawn[roof.unit] = _DASHES[drawn[roof.unit] % len(_DASHES)], drawn[roof.unit] + 1
        x = [low, roof.ridge, high]
        traces.append({
            "type": "scatter", "mode": "lines", "name": roof.label, "x": x,
            "y": [min(each * roof.bytes_per_s, roof.operations_per_s) / 1e12 for each in x],
            "line": {"color": style.colour[scheme], "width": 2, "dash": dash},
            "hovertemplate": f"<b>{roof.label}</b><br>{si(roof.operations_per_s, 'OP/s')} from {significant(roof.ridge)} OP/B on"
            "<br>%{y:.3~g} TOP/s at %{x:.3~g} OP/B<extra></extra>",
        })  # fmt: skip
    layout = {
        "height": HEIGHT_PX,
        "margin": _MARGIN,
        "xaxis": {**axis_layout((low, high), log=True), "title": {"text": "Operations per byte of DRAM traffic (OP/B)"}},
        "yaxis": axis_layout(span, log=True),
        "annotations": [axis_name("Rate", "TOP/s", scheme), *_labels(roofs, span, scheme)],
    }  # fmt: skip
    return figure(scheme, traces, layout)


def roofline_sentence(soc: Soc, mode: str | None) -> str:
    """Return the picture in one sentence."""
    roofs = rooflines(soc, mode)
    words = ", ".join(f"{roof.label} {si(roof.operations_per_s, 'OP/s')}" for roof in roofs)
    where = f" in the mode {mode}" if mode else ""
    return f"Rooflines of {soc.title}{where}: {words}; memory {si(roofs[0].bytes_per_s, 'B/s')}." if roofs else ""


def _labels(roofs: tuple[Roof, ...], span: tuple[float, float], scheme: Scheme) -> list[Entry]:
    """Return names at the right ends, moved down where they would cover each other."""
    area = HEIGHT_PX - _MARGIN["t"] - _MARGIN["b"]
    low, high = math.log10(span[0]), math.log10(span[1])
    found, least = [], -_LABEL_PX
    for roof in roofs:
        exact = (high - math.log10(roof.operations_per_s / 1e12)) / (high - low) * area
        least = max(exact, least + _LABEL_PX)
        found.append({
            "x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": 1 - least / area, "yref": "paper", "yanchor": "middle",
            "text": f"{roof.label} {si(roof.operations_per_s, 'OP/s')}", "font": {"size": 11, "color": TOKENS[scheme].text2},
        })  # fmt: skip
    return found
