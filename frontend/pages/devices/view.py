"""The content of the devices page: agents, measurements next to predictions, and queued jobs. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.draft import draft
from frontend.components.moment import moment
from frontend.components.pictures.kpi import kpi
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, integer, many, percent, significant
from frontend.ids.devices import DevicesIds
from hardware.soc.loader import builtin_socs
from webapp.measuring.device_documents import document_slug
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.overview import DeviceOverview, MeasuredNetwork, device_overviews
from webapp.teams.permissions import Action, Principal, may

_COLUMNS = (
    Column("Network"),
    Column("Threads", number=True),
    Column("Measured, ms", number=True),
    Column("95 % interval, ms", number=True),
    Column("Predicted, ms", number=True),
    Column("Error", number=True),
    Column("Drift", number=True),
    Column("When"),
    Column(""),
)
HOW = (
    "On the machine: pip install ./agent, then paretoscope-agent measure --url of this site --token of the scope agent. "
    "For the machine that this site runs on: paretoscope measure-here."
)


def content(
    principal: Principal, told: Component | None = None, typed: Mapping[int, str] | None = None
) -> list[Component]:
    """Return what was just done, and every device; `typed` is what stands in the field of each, by number."""
    found, now = device_overviews(principal), timezone.now()
    cards = [_device(principal, each, now, (typed or {}).get(each.device.pk, "")) for each in found] or [_none()]
    return [html.Div(told), *cards]


def done(words: str) -> Component:
    """Say that an action was done."""
    return notice(words, icon="check")


def _none() -> Component:
    token = link_button("Make a token", "/accounts/token/", icon="key")
    words = f"An agent measures networks on a machine of yours and calibrates the cost model to it. {HOW}"
    return html.Section(empty_state("cpu", "No device has an agent", words, [token]), className="card home-empty")


def _device(principal: Principal, found: DeviceOverview, now: datetime, typed: str) -> Component:
    device, machine = found.device, found.device.machine
    about = f"{machine['processor']}, {machine['cores']} cores, {machine['runtime']}, project {device.project.title}"
    body: list[Component] = [html.Div(_numbers(found, now), className="row g24 wrap run-line")]
    if found.networks:
        rows = [_row(each, now) for each in found.networks]
        body.append(html.Div(plain_table(_COLUMNS, rows, tight=True), className="table-scroll"))
    else:
        words = "No measurements yet. Request networks below; the agent measures them at its next request."
        body.append(html.Div(words, className="sm t3"))
    body.append(html.Div(_actions(principal, found, typed), className="row g8 wrap"))
    return card(device.name, html.Div(body, className="stack g12"), subtitle=about)


def _numbers(found: DeviceOverview, now: datetime) -> list[Component]:
    device, counts, state = found.device, found.counts, Measurement.State
    seen = "revoked" if device.revoked is not None else moment(device.last_seen, now)
    offs = sorted(abs(each.estimate.off) for each in found.networks if each.estimate is not None)
    kpis = [
        kpi("Agent seen", seen, title=device.last_seen.strftime("%Y-%m-%d %H:%M:%S UTC")),
        kpi("Measured", integer(counts.get(state.DONE, 0))),
        kpi("Waiting", integer(counts.get(state.WAITING, 0) + counts.get(state.LEASED, 0))),
    ]
    if found.pieces:
        title = "Measurements for designs of runs are on the pages of the runs"
        kpis.append(kpi("Pieces of designs", integer(found.pieces), title=title))
    if offs:
        middle = offs[len(offs) // 2] if len(offs) % 2 else (offs[len(offs) // 2 - 1] + offs[len(offs) // 2]) / 2
        kpis += [
            kpi("Median model error", percent(middle, 1), title="Whole networks, by fits without them"),
            kpi("At worst", percent(offs[-1], 1)),
        ]
    return [*kpis, html.Div(_documents(found), className="sm")]


def _documents(found: DeviceOverview) -> Component:
    """Return the links to the device's documents and calibrations."""
    device, links = found.device, list[Component | str]()
    for peak in device.machine["peaks"]:
        name = f"{device.project.slug}/{document_slug(device.slug, peak['threads'])}"
        words = many(peak["threads"], "thread")
        links += [dcc.Link(words, href=f"/catalogue/hardware/{name}", className="link"), " "]
        if peak["threads"] in found.calibrations:
            address = f"/catalogue/calibration/{found.calibrations[peak['threads']]}"
            links += ["(", dcc.Link("calibration", href=address, className="link"), ") "]
    return html.Div(links)


def _row(found: MeasuredNetwork, now: datetime) -> list[Component | str]:
    link = dcc.Link(found.network, href=f"/catalogue/workload/{found.network}", className="link", title=found.title)
    measured, interval = MISSING, MISSING
    if found.latency_ms is not None:
        measured, low, high = significant(found.latency_ms[0], 4), found.latency_ms[1], found.latency_ms[2]
        if low is not None and high is not None:
            interval = f"{significant(low, 4)} – {significant(high, 4)}"
    estimate = found.estimate
    predicted = MISSING if estimate is None else significant(estimate.estimated_ms, 4)
    off = MISSING if estimate is None else _signed(estimate.off)
    drift = MISSING if found.drift is None else _signed(found.drift)
    return [link, str(found.threads), measured, interval, predicted, off, drift, _when(found, now), _state(found)]


def _signed(share: float) -> str:
    return f"{share:+.1%}".replace("%", " %").replace("-", "−")


def _when(found: MeasuredNetwork, now: datetime) -> Component | str:
    if found.ended is None:
        return MISSING
    return moment(found.ended, now)


def _state(found: MeasuredNetwork) -> Component:
    if found.state == Measurement.State.FAILED:
        return chip("failed", tone="bad", title=found.trouble)
    if found.state != Measurement.State.DONE:
        words = "measuring" if found.state == Measurement.State.LEASED else "waiting"
        return chip(words, title=found.trouble)
    if not found.settled:
        return chip("not settled", tone="warn", title="The interval is wider than 3 % of the median.")
    return chip("measured")


def _actions(principal: Principal, found: DeviceOverview, typed: str) -> Sequence[Component]:
    device = found.device
    buttons: list[Component] = []
    if may(principal, Action.RUN, device) and device.revoked is None:
        field = dmc.TextInput(
            id={"type": DevicesIds.NETWORKS_TYPE, "number": device.pk},
            value=typed,
            placeholder="resnet50, vit-b-32",
            w=240,
            **{"aria-label": f"Networks of the catalogue to measure on {device.name}, separated by commas"},
        )
        form = html.Div(field, **draft(name=f"networks {device.pk}"))
        buttons += [form, button("Measure these", id=_action("these", device), icon="player-play")]
        hint = "A dozen CNNs and transformers to fit to, a dozen to predict, with one thread and with all cores"
        buttons.append(button("Measure the standard networks", id=_action("measure", device), title=hint))
        if found.counts.get(Measurement.State.DONE):
            hint = "Measure every network again, to see the drift of the device"
            buttons.append(button("Measure again", id=_action("again", device), icon="refresh", title=hint))
    if may(principal, Action.EDIT, device):
        if found.counts.get(Measurement.State.DONE, 0) > 1:
            buttons.append(button("Calibrate", id=_action("calibrate", device), icon="check"))
        buttons += _sharing(device)
        if device.revoked is None:
            buttons.append(button("Revoke the agent", id=_action("revoke", device), kind="danger"))
        else:
            buttons.append(button("Allow the agent again", id=_action("allow", device)))
            question = f"Delete {device.name} and everything measured on it? Its calibrations stay."
            buttons.append(button("Delete the device", id=_action("delete", device), kind="danger", question=question))
    return buttons


def _sharing(device: AgentDevice) -> Sequence[Component]:
    """Return the board on which measurements are shared, with the button that ends it; else the list of boards."""
    if device.board:
        link = dcc.Link(device.board, href=f"/catalogue/hardware/{device.board}", className="link")
        shared = html.Span(["Shared on the page of ", link], className="sm")
        return [shared, button("Stop sharing", id=_action("unshare", device))]
    boards: Component = dmc.Select(
        id={"type": DevicesIds.BOARD_TYPE, "number": device.pk}, data=sorted(builtin_socs()), searchable=True, w=220,
        placeholder="board", **{"aria-label": f"Board on whose page everybody sees the measurements of {device.name}"},
    )  # fmt: skip
    hint = "Everybody on this site sees name, processor, clock, load and latencies of this device on the board's page"
    return [boards, button("Share on board page", id=_action("share", device), title=hint)]


def _action(name: str, device: AgentDevice) -> dict[str, str | int]:
    return {"type": DevicesIds.ACTION_TYPE, "name": name, "number": device.pk}
