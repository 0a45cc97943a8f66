"""Cards of a system on a chip: facts, roofline, compute units, what is not published, reported values. No callbacks."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from django.utils import timezone

from engines.cost.memory_capacity import memory_size
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.draft import draft
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.designs.run_words import person_name
from frontend.figures.hardware.roofline import roofline_figure, roofline_sentence, rooflines
from frontend.figures.hardware.soc_diagram import clock_words, unit_title
from frontend.figures.numbers import ago, integer, many, si
from frontend.ids.catalogue import BoardIds
from frontend.pages.catalogue.document.frame import DocumentView
from frontend.theme import Scheme
from hardware.figure_table import title_of
from hardware.soc.board_documents import measured_memory
from hardware.soc.family import SOC
from hardware.soc.model import ProcessingUnit, Soc
from webapp.catalogue.value_reports import reports_on
from webapp.teams.visibility import Principal

NOT_PUBLISHED = "not published"
_CAVEAT = "Dense peaks at the highest clocks of the power mode. Networks reach a part of them, and a hot device lowers its clocks."


def board_cards(principal: Principal, shown: DocumentView, soc: Soc, scheme: Scheme) -> list[Component]:
    """Return the cards of a system on a chip with units, most important first."""
    if not soc.units:
        return []
    cards = [_about_card(shown, soc), _roofline_card(soc, scheme), _units_card(soc)]
    cards += [_measured_card(soc)] if measured_memory(soc.slug) else []
    cards += [_missing_card(soc)] if soc.not_published else []
    return [*cards, _report_card(principal, soc)] if shown.entry.builtin else cards


def values_href(shown: DocumentView) -> str:
    """Return the address of the document's values as CSV."""
    entry = shown.entry
    query = {"version": entry.version} | ({"project": entry.project} if entry.project else {})
    return f"/api/v1/documents/hardware/{entry.slug}/values.csv?{urlencode(query)}"


def _about_card(shown: DocumentView, soc: Soc) -> Component:
    """Return facts of the board with their confidence, what an estimate lacks, and the ways on."""
    memory = [soc.memory_type, f"{soc.bus_bits} bit" if soc.bus_bits else ""]
    memory += [si(soc.memory.bandwidth_bytes_per_s(), "B/s")] if soc.memory else []
    content = shown.entry.content
    facts = (
        ("Vendor", soc.vendor, ""),
        ("Year", str(soc.year or ""), "year"),
        ("Price", f"{soc.price_usd} USD" if soc.price_usd else "", "price_usd"),
        ("Power range", f"{content['power_range_w']} W" if content.get("power_range_w") else "", "power_range_w"),
        ("Process node", f"{soc.process_node_nm:g} nm" if soc.process_node_nm else "", "process_node_nm"),
        ("Memory", ", ".join(filter(None, memory)), "memory.bandwidth_gb_per_s"),
    )
    rows = [
        [title, html.Span(value or NOT_PUBLISHED, className="" if value else "t3"), _sure(soc, key) if value else ""]
        for title, value, key in facts
    ]
    lacking = SOC.lacking(soc)
    lost = (
        "no latency and no energy" if {"power"} < set(lacking) else "no energy" if "power" in lacking else "no latency"
    )
    words = f"The document lacks {', '.join(lacking)}: {lost} can be estimated by the data sheet." if lacking else ""
    ways = [
        link_button(
            "Estimate your network on this board",
            estimate_href(shown),
            icon="arrow-right",
            kind="primary",
            size="small",
        ),
        link_button("CSV of all values", values_href(shown), icon="download", size="small", download=""),
        *(
            [link_button("Report a value", "#report-value", icon="message", size="small")]
            if shown.entry.builtin
            else []
        ),
    ]
    table = plain_table([Column("Fact"), Column("Value"), Column("Confidence")], rows, tight=True)
    return card(
        "Board",
        html.Div(table, className="table-scroll"),
        html.Div(words, className="sm warn board-below") if words else None,
        html.Div(ways, className="row wrap board-below"),
        flush=True,
    )


def estimate_href(shown: DocumentView) -> str:
    """Return the survey of a network that is still to be chosen, on this board."""
    return f"/survey?{urlencode({'device': shown.entry.name}, safe='/')}"


def _sure(soc: Soc, key: str) -> Component | str:
    words = soc.confidence.get(key)
    return chip(words, tone="good" if words == "solid" else "line" if words == "derived" else "warn") if words else ""


def _roofline_card(soc: Soc, scheme: Scheme) -> Component:
    modes = list(soc.power_modes)
    default = next((name for name, mode in soc.power_modes.items() if mode.is_default), None)
    select = dmc.Select(
        id=BoardIds.MODE,
        data=[{"value": mode, "label": mode} for mode in modes],
        placeholder="highest clocks",
        value=default,
        clearable=True,
        w=160,
        **{"aria-label": "Power mode of the roofline"},
    )
    drawn = html.Div(roofline(soc, default, scheme), id=BoardIds.ROOFLINE)
    actions = [html.Span(select, hidden=not modes), figure_menu()]
    return card(
        "Roofline", drawn, html.Div(_CAVEAT, className="xs t3 board-below"), subtitle="dense peak by bit width", actions=actions,
        flush=True,
    )  # fmt: skip


def roofline(soc: Soc, mode: str | None, scheme: Scheme) -> Component:
    """Return the picture, or why there is none."""
    mode = mode if mode in soc.power_modes else None
    if not rooflines(soc, mode):
        lacking = " and ".join(kind for kind in SOC.lacking(soc) if kind in ("peak", "bandwidth")) or "peak"
        words = f"The {lacking} of this device is not published, or was not found. Report the value if you know it."
        return empty_state("chart-line", "No roofline", words, level=3)
    return plot(roofline_figure(soc, mode, scheme), summary=roofline_sentence(soc, mode))


def _units_card(soc: Soc) -> Component:
    """Return a row per compute unit, a column per bit width that any of them states."""
    precisions = list(dict.fromkeys(name for unit in soc.units.values() for name in unit.operations_per_cycle))
    columns = [Column("Unit"), Column("Clock"), Column("On chip", number=True)]
    columns += [Column(name, number=True, unit="TOP/s") for name in precisions]
    columns += [Column("Vendor's claim and notes")]
    rows = [_unit_row(soc, unit, precisions) for unit in soc.units.values()]
    table = html.Div(plain_table(columns, rows), className="table-scroll")
    return card("Compute units", table, subtitle="peaks are dense, of all units of a kind together", flush=True)


def _unit_row(soc: Soc, unit: ProcessingUnit, precisions: Sequence[str]) -> list[Component | str]:
    several = f"{unit.count} × " if unit.count > 1 else ""
    cores = f", {integer(unit.cores)} cores" if unit.cores and unit.cores > 1 else ""
    name = html.Div([
        html.Div([html.Span(several + (unit.label or unit.name.upper()), className="m5")]),
        html.Div([unit_title(unit.kind), cores], className="xs t2"),
    ])  # fmt: skip
    clock = clock_words(unit.known_clocks_hz) if unit.known_clocks_hz else _none()
    memory = memory_size(unit.on_chip_memory_bytes) if unit.on_chip_memory_bytes else _none()
    peaks: list[Component | str] = [
        f"{unit.count * unit.peak_operations_per_s(each) / 1e12:.4g}" if each in unit.operations_per_cycle else _none()
        for each in precisions
    ]
    notes = [html.Div(words, className="xs t2") for words in (unit.vendor_claim, unit.note) if words]
    return [name, clock, memory, *peaks, html.Div(notes, className="board-notes")]


def _none() -> Component:
    return html.Span("–", className="t3", title=f"{NOT_PUBLISHED}, or not found")


def _missing_card(soc: Soc) -> Component:
    """Return a card of the values that were looked for without success, by part of the document."""
    parts: dict[str, list[str]] = {}
    for key in soc.not_published:
        above, _, last = key.rpartition(".")
        parts.setdefault(title_of(above) if above else "Device", []).append(
            last if "per_s." in key else title_of(f"x.{last}")[3:]
        )
    rows = [[part, ", ".join(names)] for part, names in parts.items()]
    table = html.Div(plain_table([Column("Part"), Column("Values")], rows, tight=True), className="table-scroll")
    words = f"{many(len(soc.not_published), 'value')} looked for and not found"
    return card("Not published", table, subtitle=words, flush=True)


def _measured_card(soc: Soc) -> Component:
    rows = [
        [
            row["board"],
            row["memset_gb_per_s"],
            row["memcpy_gb_per_s"],
            row["cpu_clock_mhz"],
            html.Span(row["source"], className="t2"),
        ]
        for row in measured_memory(soc.slug)
    ]
    columns = [
        Column("Board"), Column("memset", number=True, unit="GB/s"), Column("memcpy", number=True, unit="GB/s"),
        Column("CPU clock", number=True, unit="MHz"), Column("Source"),
    ]  # fmt: skip
    words = "one CPU thread, which cannot fill the bus; memcpy counts copied bytes once"
    return card(
        "Measured memory bandwidth",
        html.Div(plain_table(columns, rows), className="table-scroll"),
        subtitle=words,
        flush=True,
    )


def _report_card(principal: Principal, soc: Soc) -> Component:
    """Return a form for a value that somebody knows better, and the reports on this device."""
    keys = [{"value": key, "label": f"{title_of(key)} ({key})"} for key in (*soc.not_published, *soc.sources)]
    fields = [
        dmc.Select(id=BoardIds.REPORT_KEY, data=keys, label="Value", searchable=True, limit=60, placeholder="Choose a value"),
        dmc.TextInput(id=BoardIds.REPORT_VALUE, label="It should be", placeholder="26 TOPS int8, dense"),
        dmc.TextInput(
            id=BoardIds.REPORT_SOURCE, label="Source", placeholder="Data sheet, revision and page; or an address",
        ),
        html.Div(button("Report value", id=BoardIds.REPORT, kind="primary", size="small")),
        html.Div(id=BoardIds.REPORT_ANSWER, role="status"),
    ]  # fmt: skip
    listed = html.Div(reports_list(principal, soc.slug), id=BoardIds.REPORTS)
    form = html.Div(fields, className="stack", **draft(name="value report"))
    words = "stored for review; members of your project see it"
    return card("Report a value", form, listed, subtitle=words, id="report-value")


def reports_list(principal: Principal, slug: str) -> list[Component]:
    """Return the reports on a device that `principal` sees."""
    now = timezone.now()
    return [
        html.Div(
            [
                html.Span(title_of(each.key), className="m5", title=each.key),
                html.Span(f" {each.value} ", className="mono"),
                chip("reviewed" if each.reviewed else "waits for review", tone="good" if each.reviewed else "line"),
                html.Div(f"{each.source}; {person_name(each.owner)}, {ago(each.created, now)}", className="xs t2"),
            ],
            className="sm board-report",
        )
        for each in reports_on(principal, slug)
    ]
