"""Which unit of a device suits each operation, on the page of a workload: controls and what follows them. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from engines.cost.calibration.words import error_words, inheritance_note
from engines.cost.preferences import QUANTITIES, Quantity
from engines.cost.unit_preferences import NOWHERE, UnitPreferences, UnitTotal
from engines.workloads.network import Network
from frontend.components.button import link_button
from frontend.components.card import card, card_title
from frontend.components.chip import chip
from frontend.components.clock_select import clock_select
from frontend.components.pictures.figure import plot
from frontend.components.states import empty_state
from frontend.figures.layers.layer_preferences import SHOWN
from frontend.figures.layers.unit_preferences import unit_figure, unit_height, unit_names, unit_sentence
from frontend.figures.numbers import MISSING, integer, many, ratio, si
from frontend.ids.units import UnitIds
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.workload.comparison import (
    ComparisonFrame,
    ComparisonView,
    choices_table,
    heat_width_px,
    labelled,
    no_heat,
    one_of,
    remark,
    segments,
)
from frontend.pages.catalogue.workload.units.query import (
    OWN_ONLY,
    WITH_FALLBACK,
    UnitQuery,
    calibrations,
    compared_units,
    devices,
)
from frontend.theme import Scheme
from hardware.soc.model import Soc
from webapp.teams.visibility import Principal

_FALLBACK = {WITH_FALLBACK: "As measured", OWN_ONLY: "Without fall-back"}


FRAME = ComparisonFrame(
    "Best unit per operator",
    "By unit",
    "Picked operation",
    UnitIds.LEGEND,
    UnitIds.HEAT,
    UnitIds.TOTALS,
    UnitIds.DETAIL,
)


@dataclass(frozen=True)
class UnitsView(ComparisonView):
    """The parts that are drawn again when a control changes; the operations that can be picked among them."""

    operations: list[dict[str, str]] = field(default_factory=list)


def units_panel(
    principal: Principal, network: Network, asked: UnitQuery, scheme: Scheme, viewport_px: int
) -> Component:
    """Return the content of the tab."""
    if not asked.soc:
        words = "No system on a chip has a calibration that you may use. Measure a board to make one."
        ways = [link_button("Calibrate with your measurements", "/catalogue/calibrate", icon="chart-scatter")]
        return card("Best unit per operator", empty_state("cpu", "No calibration", words, ways, level=3))
    view = units_view(principal, network, asked, scheme, viewport_px)
    show = segments(UnitIds.SHOW, {each: SHOWN[each] for each in QUANTITIES}, asked.show, "Shown metric")
    picker = one_of(UnitIds.OPERATION, view.operations, str(asked.operation), "Operation", 280,
                    nothingFoundMessage="No such operation")  # fmt: skip
    return FRAME.drawn(view, [show], _pickers(principal, asked), [card_title("Operation"), picker])


def _pickers(principal: Principal, asked: UnitQuery) -> list[Component]:
    entries = devices(principal)
    soc = next(loaded(entry) for entry in entries if entry.name == asked.soc)
    names = [{"value": each.name, "label": each.title} for each in entries]
    device = one_of(UnitIds.SOC, names, asked.soc, "Device", 210)
    calibration = one_of(
        UnitIds.CALIBRATION, calibration_options(principal, soc), asked.calibration, "Calibration", 340
    )
    fallback = segments(UnitIds.FALLBACK, _FALLBACK, WITH_FALLBACK if asked.fallback else OWN_ONLY,
                        "Operators that a unit cannot run")  # fmt: skip
    clocks = html.Div(clock_controls(soc, asked.clocks_mhz), id=UnitIds.CLOCKS, className="row wrap g12")
    return [labelled("Device", device), labelled("Calibration", calibration), fallback, clocks]


def calibration_options(principal: Principal, soc: Soc) -> list[dict[str, str]]:
    """Return the calibrations of the device."""
    return [{"value": each.name, "label": each.title} for each in calibrations(principal, soc)]


def clock_controls(soc: Soc, clocks_mhz: Mapping[str, float]) -> list[Component]:
    """Return one select per clock, empty at the highest frequency."""
    return [labelled(name, control) for name, control in clock_select(soc, UnitIds.CLOCK_TYPE, clocks_mhz, width=176)]


# -- what follows the controls ------------------------------------------------------------------------------------------


def units_view(principal: Principal, network: Network, asked: UnitQuery, scheme: Scheme, viewport_px: int) -> UnitsView:
    """Return the comparison as drawn; where it cannot be made, why."""
    try:
        found = compared_units(principal, network, asked)
    except ProblemError as error:
        return UnitsView([], no_heat(str(error), wrong=True))
    operation = min(asked.operation, len(found.operations) - 1)
    if operation < 0:
        return UnitsView([], no_heat("No operator of the network has a cost.", wrong=False))
    width = heat_width_px(viewport_px)
    figure = unit_figure(found, asked.show, operation, scheme, width_px=width)
    heat = plot(figure, height_px=int(unit_height(found)), summary=unit_sentence(found, asked.show), id=UnitIds.GRAPH)
    options = [{"value": str(place), "label": name} for place, name in enumerate(unit_names(found))]
    return UnitsView(
        _legend(found, asked), heat, _totals(found, asked.show), _detail(found, operation, asked.show), options
    )


def _legend(found: UnitPreferences, asked: UnitQuery) -> list[Component]:
    """Return the legend of colours and marks, with differences within the error band."""
    words = (
        f"{SHOWN[asked.show]} of an operator, as a multiple of the best unit's. A dot marks the best, a "
        "ring a unit within the calibration's error, a cross an operator without an estimate"
    )
    parts: list[Component] = [html.Span(words, className="sm t2")]
    band, unclear = found.band(asked.show), int(((found.best(asked.show) != NOWHERE) & ~found.clear(asked.show)).sum())
    if band is None:
        parts.append(chip("error of the calibration unknown", tone="warn", title="No row was left out or predicted"))
    else:
        hint = f"{unclear} operators have no second unit, or one within the error. "
        words = f"error ×/÷ {band:.2f} on its own source: {unclear} of {len(found.operations)} undecided"
        parts.append(chip(words, tone="line", title=hint + error_words(found.calibration)))
    parts += [
        chip("inherited from another device", tone="warn" if note.level == "warning" else "line", title=note.text)
        for note in inheritance_note(found.calibration, found.soc)
    ]
    nowhere = int((~found.supported.any(axis=1)).sum())
    if nowhere:
        parts.append(
            chip(f"{nowhere} without an estimate", tone="warn", icon="alert-triangle", title=_kinds_nowhere(found))
        )
    return parts


def _kinds_nowhere(found: UnitPreferences) -> str:
    lost = np.flatnonzero(~found.supported.any(axis=1))
    return ", ".join(sorted({found.operations.kinds[place] for place in lost}))


def _totals(found: UnitPreferences, quantity: Quantity) -> Component:
    """Return the operations on each unit alone, and each on the unit that it prefers."""
    heads = ("Covered", "Latency", "Energy", "EDP", "Preferred by")
    every = len(found.operations)
    rows = [_total_row(unit, total, every, integer(total.preferred) if total.preferred else MISSING)
            for unit, total in found.totals(quantity).items()]  # fmt: skip
    plain, handed = (found.preferred(quantity, handovers=each) for each in (False, True))
    rows.append(_total_row("Each one's preferred", plain, every, integer(plain.preferred)))
    rows.append(_total_row("the same with transfers", handed, every, ""))
    changes = found.changes(quantity)
    note = (
        f"One sample, one operator after the other; {found.costs_words}. Sums cover operators with an "
        f"estimate. The preferred unit changes {many(changes, 'time')}; a transfer takes "
        f"{si(float(found.handed_s.mean()), 's')} in the mean. A run of SoC mapping weighs both."
    )
    public = [remark(words)] if (words := found.public_words) else []
    return html.Div([choices_table("Operations on", heads, rows, selected=len(rows) - 2), remark(note), *public])


def _total_row(title: str, total: UnitTotal, every: int, preferred: str) -> list[Component | str]:
    if not total.operations:
        return [title, f"0 of {integer(every)}", MISSING, MISSING, MISSING, preferred]
    figures = (si(total.latency_s, "s"), si(total.energy_j, "J"), si(total.latency_s * total.energy_j, "J·s"))
    return [title, f"{integer(total.operations)} of {integer(every)}", *figures, preferred]


def _detail(found: UnitPreferences, place: int, quantity: Quantity) -> Component:
    """Return one operation: what it is, what each unit costs, why a unit has no figure."""
    heads = ("Latency", "Energy", "EDP", f"to best {SHOWN[quantity]}", "")
    rows = [_detail_row(found, place, column, quantity) for column in range(len(found.units))]
    best = int(found.best(quantity)[place])
    verdict = _verdict(found, place, best, quantity)
    table = choices_table("Unit", heads, rows, selected=None if best == NOWHERE else best)
    return html.Div([html.Div(verdict, className="row wrap layers-verdict"), table])


def _verdict(found: UnitPreferences, place: int, best: int, quantity: Quantity) -> list[Component]:
    kind = html.Span(
        f"{found.operations.kinds[place]}, {si(float(found.operations.macs[place]), 'MAC')}", className="sm t2"
    )
    if best == NOWHERE:
        return [chip("no unit has an estimate", tone="warn", icon="alert-triangle"), kind]
    margin = float(found.margins(quantity)[place])
    if not np.isfinite(margin):
        return [
            chip(f"{SHOWN[quantity]}: {found.units[best]}", tone="plain"),
            html.Span("no other unit is covered", className="sm t2"),
            kind,
        ]
    clear = bool(found.clear(quantity)[place])
    words = f"the next unit takes {ratio(margin)}" + ("" if clear else ", within the calibration's error")
    tone: Any = "acc" if clear else "plain"
    return [chip(f"{SHOWN[quantity]}: {found.units[best]}", tone=tone), html.Span(words, className="sm t2"), kind]


def _detail_row(found: UnitPreferences, place: int, column: int, quantity: Quantity) -> list[Component | str]:
    unit = found.units[column]
    if not found.supported[place, column]:
        why = found.reasons.get((place, unit), "no figure").partition(": ")[2]
        return [unit, MISSING, MISSING, MISSING, MISSING, html.Span(why, className="xs t3 units-why", title=why)]
    latency, energy = float(found.latency_s[place, column]), float(found.energy_j[place, column])
    own = found.soc.units[unit].supported_operations
    mark = "" if own is None or found.operations.kinds[place] in own else html.Span("falls back", className="xs t3")
    times = ratio(float(found.ratios(quantity)[place, column]))
    return [unit, si(latency, "s"), si(energy, "J"), si(latency * energy, "J·s"), times, mark]
