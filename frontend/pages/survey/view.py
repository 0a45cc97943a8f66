"""The result of a survey: the front across devices, every device with what its figures follow from, and who cannot and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.certainty import NumberCertainty
from engines.survey.public_fits import indistinct
from engines.survey.survey_result import PACKAGES, SOCS, DeviceEstimate, Survey, SurveyRow, reached
from frontend.components.button import link_button
from frontend.components.card import card
from frontend.components.certainty import certainty_chip, certainty_legend, certainty_sign
from frontend.components.chip import chip
from frontend.components.name import cut_name
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.figures.hardware.survey import survey_figure, survey_scales, survey_sentence
from frontend.figures.numbers import MISSING, decimals_for, fixed, many, si
from frontend.ids.survey import SurveyIds
from frontend.pages.survey.address import SurveyQuestion, deeper_address, survey_address
from frontend.pages.survey.without_estimate import devices_without_estimate
from frontend.theme import Scheme

FILTERS: Mapping[str, tuple[str, ...]] = {"all": (SOCS, PACKAGES), "boards": (SOCS,), "packages": (PACKAGES,)}
_TITLES = {"all": "All", "boards": "Boards", "packages": "Packages"}
# Boards that exist before designs that a model of loop nests alone knows.
_BOARD, _MODELLED = "Board", "Predicted for accelerators and packages"
_HEIGHT_PX = 430
_CAVEAT = (
    "Batch 1 at maximum clock frequencies. Compare rows with the same certainty and precision: calibrated "
    "estimates include launch overhead and stalls, predicted ones do not. Grey boxes are error bands: they "
    "hold 90 % of held-out measurements of the calibration's own source. Other networks, runtimes and "
    "precisions can have larger errors. A device without a box has no band, or public measurements of this "
    "network lie outside it."
)


def found_view(
    found: Survey,
    asked: SurveyQuestion,
    scheme: Scheme,
    viewport_px: int,
    version: int = 0,
) -> Component:
    """Return all of it.

    Args:
        found: the survey.
        asked: network, kind of devices, bits and power mode.
        scheme: light or dark.
        viewport_px: width of the window.
        version: version of the document; 0 for a built-in one.
    """
    kind, network = asked.show if asked.show in FILTERS else "all", asked.workload
    devices = [each for each in found.devices if each.schema in FILTERS[kind] and asked.device in ("", each.name)]
    devices = [replace(each, on_front=mark) for each, mark in zip(devices, reached(devices), strict=True)]
    able, unable = [each for each in devices if each.priced], [each for each in devices if not each.priced]
    return html.Div(
        [
            _head(found, asked, "" if asked.device else kind, version),
            html.Div([_picture(able, scheme, viewport_px), _devices(able, network)], className="survey-found"),
            devices_without_estimate(((each.name, each.title, each.reason) for each in unable), closed=bool(able)),
        ],
        className="stack g12",
    )


def _head(found: Survey, asked: SurveyQuestion, kind: str, version: int) -> Component:
    chosen = [
        dcc.Link(
            _TITLES[each], href=survey_address(replace(asked, show=each if each != "all" else "", file="")),
            className="on" if each == kind else "",
        )
        for each in FILTERS
    ]  # fmt: skip
    words = f"{many(found.layers, 'layer')}, {si(found.macs, 'MAC')}; {many(len(found.able), 'device runs', 'devices run')} it"
    words += f", {len(found.unable)} cannot or lack values: see below" if found.unable else ""
    return html.Div(
        [
            html.H2(found.network),
            chip(f"version {version}", title=f"{asked.workload}@{version}") if version else None,
            html.Span(words, className="sm t2"),
            html.Span(className="sp"),
            html.Nav(chosen, className="seg", **{"aria-label": "Devices"}),
        ],
        className="row g12 wrap",
    )


def _picture(able: Sequence[SurveyRow], scheme: Scheme, viewport_px: int) -> Component:
    if not any(each.priced and each.priced.front for each in able):
        words = (
            ("No energy is known", "The table has latencies.")
            if able
            else ("No device can run this network", "Below is why.")
        )
        return card("Latency and energy", empty_state("cpu", *words, level=3))
    width = max(360.0, (min(viewport_px, 1920) - 44) * 0.54)
    drawn = survey_figure(able, scheme, width_px=width, height_px=_HEIGHT_PX)
    legend = html.Div(
        [
            *certainty_legend(each.priced.certainty for each in able if each.priced),
            html.Span([html.I(className="survey-mark line"), "front"], className="row g4 xs t2"),
        ],
        className="row g12 wrap survey-legend",
    )
    parts = (plot(drawn, height_px=_HEIGHT_PX, summary=survey_sentence(able), id=SurveyIds.GRAPH), legend)
    return card("Front across devices", *parts, notice(_CAVEAT), actions=[figure_menu()], class_name="survey-picture")


def _devices(able: Sequence[SurveyRow], network: str) -> Component:
    priced = [each.priced for each in able if each.priced]
    if not priced:
        return card("Devices", flush=True)
    # The units of the picture; the least value decides on decimals: the best devices are told apart.
    time, energy = survey_scales(able)
    energies = [p.best.energy_j for p in priced if p.best.energy_j is not None]
    least = (min(p.best.latency_s for p in priced), min(energies, default=1.0))
    digits = (decimals_for([least[0] * time.factor], 3), decimals_for([least[1] * energy.factor], 3))
    tables = []
    for title in (_BOARD, _MODELLED):
        alike: dict[tuple[str, ...], list[SurveyRow]] = {}
        for each in able:
            if each.priced is not None and (each.priced.basis == "dataflow") == (title == _MODELLED):
                best = each.priced.best
                figures = (
                    fixed(best.latency_s * time.factor, digits[0]),
                    MISSING if best.energy_j is None else fixed(best.energy_j * energy.factor, digits[1]),
                )
                alike.setdefault((*figures, each.priced.certainty, each.schema), []).append(each)
        rows = [_row(figures[:2], devices, network) for figures, devices in alike.items()]
        columns = (
            Column(title), Column("Latency", number=True, unit=time.unit), Column("Energy", number=True, unit=energy.unit),
            Column("Certainty"), Column(""),
        )  # fmt: skip
        tables += [plain_table(columns, rows)] if rows else []
    return card(
        "Devices",
        html.Div(tables, className="table-scroll survey-devices"),
        _indistinct(indistinct(able)),
        subtitle="boards first; least energy-delay product first",
        flush=True,
    )


def _indistinct(pairs: Sequence[tuple[str, str]]) -> Component | None:
    """Return the expandable line on devices that the estimates cannot rank."""
    if not pairs:
        return None
    lines = [html.Div(f"{one} and {other}") for one, other in pairs]
    summary = html.Summary(
        f"Error bands overlap widely: {many(len(pairs), 'pair')} without a faster device", className="xs t2"
    )
    return html.Details([summary, *lines], className="survey-alike survey-indistinct sm")


def _row(figures: Sequence[str], alike: Sequence[SurveyRow], network: str) -> tuple[Component | str, ...]:
    """Return the first of the devices whose figures are the same, the others folded below it."""
    first = alike[0]
    assert first.priced is not None  # of those that run the network
    return (
        _device(first, alike[1:]),
        *_with_band(figures, first.priced),
        certainty_chip(NumberCertainty(first.priced.certainty, _source(first.priced), first.priced.latency_factor)),
        _deeper(first, network),
    )


def _others(others: Sequence[SurveyRow]) -> Component | None:
    """Return the devices with the figures of another one, one line until it is opened."""
    if not others:
        return None
    links = [
        html.Div(
            dcc.Link(each.title, href=f"/catalogue/hardware/{each.name}"),
            title=each.priced.best.words if each.priced else "",
        )
        for each in others
    ]
    more = "1 more" if len(others) == 1 else f"{len(others)} more"
    return html.Details(
        [html.Summary(f"and {more} with the same values", className="xs t2"), *links], className="survey-alike sm"
    )


def _device(each: SurveyRow, others: Sequence[SurveyRow] = ()) -> Component:
    assert each.priced is not None  # of those that run the network
    best, single = each.priced.best, each.priced.single
    words = best.words
    if single is not None and single.words != best.words:
        joules = "" if single.energy_j is None else f", {si(single.energy_j, 'J')}"
        words += f" (best alone: {single.words.removesuffix(' alone')}, {si(single.latency_s, 's')}{joules})"
    mark = chip("front", tone="acc", title="No other device shown is as good in both and better in one")
    name = dcc.Link(cut_name(each.title), href=f"/catalogue/hardware/{each.name}", className="m5")
    title = html.Div([name, mark if each.on_front else None], className="row g4")
    public = _public(each.priced.public) if each.priced.public else None
    note = html.Div(each.priced.note, className="xs warn") if each.priced.note else None
    return html.Div([title, html.Div(words, className="xs t2 survey-way", title=words), note, public, _others(others)])


def _public(words: str) -> Component:
    """Return the public measurements beside the estimate, one line until it is opened."""
    return html.Details([html.Summary("public measurements", className="xs t2"), words], className="survey-alike sm")


def _with_band(figures: Sequence[str], priced: DeviceEstimate) -> list[Component]:
    """Return latency and energy, each with its sign of certainty and its error band."""
    factors = (priced.latency_factor, priced.energy_factor)
    return [
        html.Span(figure, title=priced.energy_reason)
        if figure == MISSING
        else html.Div(
            [
                html.Div([certainty_sign(NumberCertainty(priced.certainty, _source(priced), factor)), figure]),
                html.Div(f"×/÷ {factor:.2f}" if factor else MISSING, className="xs t3", title=priced.band),
            ]
        )
        for figure, factor in zip(figures, factors, strict=True)
    ]


def _source(priced: DeviceEstimate) -> str:
    outside = priced.latency_factor is None and priced.public and priced.band
    return (
        f"{priced.words}; public measurements of this network lie outside its error band" if outside else priced.words
    )


def _deeper(each: SurveyRow, network: str) -> Component | str:
    if each.priced and each.priced.energy_reason:
        return link_button("Complete its data", f"/hardware/new?from={each.name}", size="small")
    deeper = deeper_address(each, network)
    return "" if deeper is None else link_button("Explore", deeper[1], icon="arrow-right", size="small")
