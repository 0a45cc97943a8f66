"""Devices that a survey cannot estimate, those with the same reason together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain

from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.integer_format import many
from frontend.components.card import card

Refusal = tuple[str, str, str]


def devices_without_estimate(refusals: Iterable[Refusal], *, closed: bool) -> Component | None:
    """Return the devices with their reasons; None for none.

    Args:
        refusals: name, title and reason of each device.
        closed: whether the list is folded at first.
    """
    by_reason: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, title, reason in refusals:
        by_reason[reason].append((name, title))
    if not by_reason:
        return None
    groups = [_group(reason, devices) for reason, devices in sorted(by_reason.items(), key=lambda each: -len(each[1]))]
    count = many(sum(map(len, by_reason.values())), "device")
    summary = html.Summary(f"{count} with the reason of each", className="sm")
    return card(
        "Devices without an estimate",
        html.Details([summary, html.Div(groups, className="stack g12 survey-reasons")], open=not closed),
        subtitle="A device cannot run this network, or its description lacks a value.",
    )


def _group(reason: str, devices: list[tuple[str, str]]) -> Component:
    links: list[Component | str] = [_link(name, title) for name, title in devices]
    parts: list[Component | str] = list(chain.from_iterable((", ", link) for link in links))[1:]
    if len(devices) == 1:
        parts += [" · ", dcc.Link("Complete its data", href=f"/hardware/new?from={devices[0][0]}")]
    return html.Div([html.Div(parts, className="sm"), html.Div(reason, className="sm t2 survey-reason")])


def _link(name: str, title: str) -> Component:
    """Return a device with the place where assets/conversation.js says that a shorter conversation fits."""
    link = dcc.Link(title, href=f"/catalogue/hardware/{name}", className="m5")
    return html.Span([link, html.Span(className="conversation-fits xs t2", **{"data-board": name})])
