"""The content of the tab of measured designs: what can be asked of which device, and what was measured. No callbacks."""

from __future__ import annotations

from collections.abc import Sequence
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
from frontend.figures.numbers import MISSING, integer, many, percent, si
from frontend.ids.measurements import MeasuredIds
from frontend.pages.run.measurements.data import (
    designs_words,
    front_numbers,
    interval_words,
    left_words,
    measured_of,
    off_by,
    predicted,
    predicted_for,
    summary,
)
from webapp.measuring.designs import MOST_DESIGNS
from webapp.measuring.devices import devices_of
from webapp.measuring.jobs import providers_of
from webapp.measuring.measured_designs import MeasuredDesign
from webapp.measuring.models import AgentDevice
from webapp.measuring.places import CPU_PROVIDER, run_words
from webapp.runs.models import Run
from webapp.teams.permissions import Action, Principal, may

SELECTED, FRONT, ALL = "selected", "front", "all"
_COLUMNS = (
    Column("Design", number=True),
    Column("Measured", number=True),
    Column("95 % interval", number=True),
    Column("Error", number=True),
    Column("Measured on"),
    Column("Pieces", number=True),
    Column(""),
)
_HOW = (
    "An agent measures on it: paretoscope-agent on any machine of yours, paretoscope measure-here on the server's own."
)


def asking_card(
    person: Principal, run: Run, designs: RunDesigns, design: int | None, measurable: Measurable
) -> Component:
    """Return the card that selects designs and device, with the button."""
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
            _places_select(places_of(devices)),
            button("Measure these designs", id=MeasuredIds.MEASURE, icon="player-play", kind="primary"),
        ],
        className="row g8 wrap",
    )
    told = html.Div(id=MeasuredIds.TOLD, **{"aria-live": "polite"})
    return card("Measure these designs", html.Div([words, fields, told], className="stack g12"))


def found_content(run: Run, designs: RunDesigns) -> list[Component]:
    """Return the requested measurements next to the predictions."""
    found = [each for each in measured_of(run) if each.number < len(designs)]
    if not found:
        words = "They appear here, on the front and in the table of designs after a device's agent has measured them."
        return [empty_state("cpu", "No measurements of this run yet", words, level=3)]
    said = [html.P(sentence, className="sm") for sentence in [*summary(run, designs), left_words(found)] if sentence]
    rows = [_row(run, designs, each) for each in found]
    known = any(
        each.same_device for each in found
    )  # else nothing here is off by anything: the prediction is another device's
    head = Column("Predicted" if known else f"Predicted for {predicted_for(run)}", number=True)
    table = html.Div(plain_table((_COLUMNS[0], head, *_COLUMNS[1:]), rows, tight=True), className="table-scroll")
    return [html.Div(said, className="stack g4"), table]


def asked_words(waiting: int, known: int, refused: dict[int, str], devices: Sequence[str]) -> Component:
    """Return the message on a request to measure on some devices."""
    agents = f"the agent of {devices[0]}" if len(devices) == 1 else f"the agents of {', '.join(devices)}"
    words = f"{_files(waiting)} for {agents}; {integer(known)} known already."
    if not refused:
        return notice(words, icon="check")
    first = next(iter(refused))
    return notice(
        f"{words} {many(len(refused), 'design')} cannot be run. Design {first}: {refused[first]}", tone="warn"
    )


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


def places_of(devices: Sequence[AgentDevice]) -> list[tuple[str, str]]:
    """Return the devices with their numbers of threads 1, 2, 4, ... as (value, words).

    threads, all cores, and other providers of each device.
    """
    found = []
    for device in devices:
        cores = int(device.machine["cores"])
        counts = sorted({*(1 << power for power in range(cores.bit_length()) if 1 << power <= cores), cores})
        for provider in sorted(providers_of(device), key=lambda each: each != CPU_PROVIDER):
            for count in counts if provider == CPU_PROVIDER else [1]:
                words = f"{device.name}, {run_words(count, provider)}"
                found.append((f"{device.pk}:{count}:{provider}", words))
    return found


def _places_select(places: Sequence[tuple[str, str]]) -> Component:
    given: Any = [{"value": value, "label": title} for value, title in places]
    return dmc.MultiSelect(
        id=MeasuredIds.PLACES, value=[places[0][0]], data=given, size="xs", maw=460, miw=240, maxValues=8, hidePickedOptions=True,
        **{"aria-label": "Devices and threads"},
    )  # fmt: skip


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
        _where(each),
        pieces,
        _state(each),
    ]


def _where(each: MeasuredDesign) -> Component:
    agent = f"agent {each.agent}" if each.agent else ""
    about = [each.place.machine, *([agent] if agent else []), *([each.measured] if each.measured else [])]
    return html.Span([each.where, html.Span(f" {agent}", className="xs t3")], title=", ".join(about))


def _signed(share: float) -> str:
    return ("+" if share > 0 else "") + percent(share, 1)


def _pieces(each: MeasuredDesign) -> str:
    """Return each piece with its share and latency, a line each."""
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
    if each.place.device is None:
        return chip("measured elsewhere", title="On a device of the installation that this run was imported from.")
    return chip("measured")
