"""What the tab of measured designs shows: what can be asked of which device, and what was measured. No callbacks."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.runnable import Measurable
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import MISSING, integer, percent, si
from frontend.ids.measured import MeasuredIds
from frontend.pages.run.measured.data import (
    designs_words,
    front_numbers,
    interval_words,
    left_words,
    measured_of,
    off_by,
    predicted,
    summary,
)
from webapp.measuring.designs import MOST_DESIGNS
from webapp.measuring.devices import devices_of
from webapp.measuring.measured_designs import MeasuredDesign
from webapp.measuring.models import AgentDevice
from webapp.runs.models import Run
from webapp.teams.permissions import Action, Principal, may

SELECTED, FRONT, ALL = "selected", "front", "all"
_COLUMNS = (
    Column("Design", number=True),
    Column("Predicted", number=True),
    Column("Measured", number=True),
    Column("95 % interval", number=True),
    Column("Off by", number=True),
    Column("Where"),
    Column("Pieces", number=True),
    Column(""),
)
_HOW = "An agent measures on it: paretoscope-agent on any machine of yours, manage.py measure-here on the server's own."


def asking_card(
    person: Principal, run: Run, designs: RunDesigns, design: int | None, measurable: Measurable
) -> Component:
    """Which designs, on which device, and the button."""
    devices = [each for each in devices_of(person) if each.revoked is None and may(person, Action.RUN, each)]
    words = html.P(measurable.words, className="sm t2")
    if not devices:
        found = link_button("Devices", "/devices", icon="cpu")
        return card(
            "Measure these designs", words, empty_state("cpu", "No device to measure on", _HOW, [found], level=3)
        )
    fields = html.Div(
        [
            _select(MeasuredIds.WHICH, "Which designs", _which(designs, design), 240),
            html.Span("on", className="sm t2"),
            _select(MeasuredIds.PLACE, "Device and threads", _places(devices), 280),
            button("Measure these designs", id=MeasuredIds.MEASURE, icon="player-play", kind="primary"),
        ],
        className="row g8 wrap",
    )
    told = html.Div(id=MeasuredIds.TOLD, **{"aria-live": "polite"})
    return card("Measure these designs", html.Div([words, fields, told], className="stack g12"))


def found_content(run: Run, designs: RunDesigns) -> list[Component]:
    """What was asked for, measured beside predicted."""
    found = [each for each in measured_of(run) if each.number < len(designs)]
    if not found:
        words = (
            "They appear here, on the front and in the table of designs as soon as a device's agent has measured them."
        )
        return [empty_state("cpu", "Nothing was measured of this run", words, level=3)]
    said = [html.P(sentence, className="sm") for sentence in [*summary(run, designs), left_words(found)] if sentence]
    rows = [_row(run, designs, each) for each in found]
    table = html.Div(plain_table(_COLUMNS, rows, tight=True), className="table-scroll")
    return [html.Div(said, className="stack g4"), table]


def asked_words(waiting: int, known: int, refused: dict[int, str], device: str) -> Component:
    """What became of a wish to measure."""
    words = f"{_files(waiting)} for the agent of {device}; {integer(known)} known already."
    if not refused:
        return notice(words, icon="check")
    first = next(iter(refused))
    return notice(f"{words} {len(refused)} designs cannot be run. Design {first}: {refused[first]}", tone="warn")


def _files(count: int) -> str:
    return "Nothing waits" if not count else "1 file waits" if count == 1 else f"{integer(count)} files wait"


def _which(designs: RunDesigns, design: int | None) -> list[tuple[str, str]]:
    count, most = len(designs.front), len(front_numbers(designs))
    front = (
        f"The front: {designs_words(count)}"
        if most == count
        else f"{integer(most)} of {integer(count)} along the front"
    )
    offered = [(FRONT, front)] if count else []
    offered += [] if design is None else [(SELECTED, f"The selected design ({design})")]
    every = [(ALL, f"All {designs_words(len(designs))}")] if count < len(designs) <= MOST_DESIGNS else []
    return [*offered, *every]


def _places(devices: list[AgentDevice]) -> list[tuple[str, str]]:
    return [
        (f"{device.pk}:{peak['threads']}", f"{device.name}, {_threads(peak['threads'])}")
        for device in devices
        for peak in device.machine["peaks"]
    ]


def _threads(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads"


def _select(name: MeasuredIds, label: str, data: list[tuple[str, str]], width_px: int) -> Component:
    given: Any = [{"value": value, "label": title} for value, title in data]
    first = data[0][0] if data else None
    return dmc.Select(
        id=name, value=first, data=given, size="xs", w=width_px, allowDeselect=False, **{"aria-label": label}
    )


def _row(run: Run, designs: RunDesigns, each: MeasuredDesign) -> list[Component | str]:
    off = off_by(run, designs, each)
    done = sum(piece.latency is not None for piece in each.pieces)
    pieces = html.Span(f"{done} of {len(each.pieces)}", title=_pieces(each))
    number = dcc.Link(str(each.number), href=f"/runs/{run.pk}?design={each.number}", className="link")
    return [
        number,
        si(predicted(run, designs, each.number), "s", 4),
        MISSING if each.latency is None else si(each.latency.median_s, "s", 4),
        interval_words(each) or MISSING,
        MISSING if off is None else _signed(off),
        each.where,
        pieces,
        _state(each),
    ]


def _signed(share: float) -> str:
    return ("+" if share > 0 else "") + percent(share, 1)


def _pieces(each: MeasuredDesign) -> str:
    """Each piece with its share and latency, a line each."""
    lines = [
        f"{piece.title}, {percent(piece.share, 1)}: {MISSING if piece.latency is None else si(piece.latency.median_s, 's', 4)}"
        for piece in each.pieces
    ]
    return "\n".join(
        [*lines, *([f"{each.rest_words}: {si(each.rest_s, 's', 4)}, as predicted"] if each.rest_words else [])]
    )


def _state(each: MeasuredDesign) -> Component:
    if each.state == "failed":
        return chip("failed", tone="bad", title=each.trouble)
    if each.state == "waiting":
        return chip("waiting", title=each.trouble)
    if not each.settled:
        return chip("not settled", tone="warn", title="The interval of a piece is wider than 3 % of its median.")
    return chip("measured")
