"""The content of the page of a hardware document: picture, figures with units and sources, versions. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.button import link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.shell.shell import remembered_scheme, remembered_viewport
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.hardware.frequency_ladder import frequency_ladder
from frontend.figures.numbers import MISSING, integer, many, significant
from frontend.ids.catalogue import DocumentIds
from frontend.pages.catalogue.calibrations import calibrations_card
from frontend.pages.catalogue.data import hardware_item
from frontend.pages.catalogue.document.frame import (
    DocumentView,
    head,
    rail,
    tabs,
    yaml_tab,
)
from frontend.pages.catalogue.document.versions import versions_and_notes, versions_tab
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.hardware.board import board_cards, values_href
from frontend.pages.catalogue.hardware.measured_values import measured_tab
from frontend.pages.catalogue.hardware.pictures import picture_of
from frontend.theme import Scheme
from hardware.figure_table import Figure, figure_table, title_of
from hardware.soc.model import PowerMode, Soc
from webapp.teams.visibility import Principal

PICTURE_HEIGHT_PX = 304
_SHORT_LIST = 9
_ABOVE_FIGURES = 3  # cards of a board: facts, roofline, compute units
# Page gutters, the list at the left, the versions at the right, gaps and borders.
_BESIDE_PICTURE_PX = 32 + 248 + 12 + 340 + 12 + 26
_QUALITY_TONES: Mapping[str, Any] = {
    "read": "good",
    "derived": "line",
    "approximate": "warn",
    "assumed": "warn",
    "community": "warn",
}
# What one looks for first, in this order; keys that a document does not have are left out.
_FOREMOST = (
    "chiplets.*.processing_elements", "chiplets.*.buffer_mib", "network_on_package.", "off_chip_memory.", "clock_mhz",
    "process_node_nm", "arithmetic.mac_energy_pj", "peak_tera_operations_per_s.", "design_power_w", "memory.bytes_per_cycle",
    "memory.capacities_gib", "power_states_mw.", "units.*.operations_per_cycle", "units.*.frequencies_mhz", "units.*.cores",
    "idle_rails_mw.", "units.",
    "transfer_power.", "typical_throughput.", "typical_delay.",
    "states.", "capacity_wh", "nominal_voltage_v", "minimum_level_share", "battery.",
    "measured.", "high_power_sensor.rates_hz", "high_power_sensor.sample_bits", "low_power_sensors.", "processor.", "radio.",
)  # fmt: skip


def page(principal: Principal, shown: DocumentView, tab: str, versus: str) -> Component:
    """Return the content of the page below the navigation bar."""
    names = tab_names(shown)
    tab = tab if tab in names else "overview"
    document = {"kind": "hardware", "name": shown.entry.name, "version": shown.entry.version}
    opened = [overview(principal, shown, remembered_scheme(), remembered_viewport()["width"])]
    return html.Div(
        [
            dcc.Store(id=DocumentIds.DOCUMENT, data=document),
            dcc.Store(id=DocumentIds.TAB, data=tab),
            head(shown, hardware_item(shown.entry).group),
            tabs(names, tab),
            html.Div(
                [
                    rail(principal, shown),
                    html.Div(
                        [
                            html.Div(opened, id=DocumentIds.OVERVIEW, hidden=tab != "overview"),
                            html.Div(panel(principal, shown, tab, versus), id=DocumentIds.PANEL),
                        ],
                        className="grow",
                    ),
                ],
                className="page document-page",
            ),
        ]
    )


def tab_names(shown: DocumentView) -> dict[str, str]:
    """Return name -> words of each tab; values are measured of what runs networks."""
    value = loaded(shown.entry)
    measured = {"measured": "Measured"} if isinstance(value, Soc) and value.units else {}
    names = {"overview": "Overview", "figures": f"Figures {len(figures_of(shown))}"}
    return {**names, **measured, "versions": "Versions", "yaml": "YAML"}


def panel(principal: Principal, shown: DocumentView, tab: str, versus: str = "") -> Component | None:
    """Return the content of a tab other than the overview."""
    if tab == "figures":
        return figures_card(
            figures_of(shown), missing=getattr(loaded(shown.entry), "not_published", ()), href=values_href(shown)
        )
    if tab == "measured" and tab in tab_names(shown):
        return measured_tab(principal, shown, remembered_scheme())
    if tab == "versions":
        return versions_tab(principal, shown, versus)
    return yaml_tab(shown) if tab == "yaml" else None


def overview(principal: Principal, shown: DocumentView, scheme: Scheme, viewport_px: int) -> Component:
    """Return picture, versions, the foremost figures, and what the kind of hardware has besides."""
    value, figures = loaded(shown.entry), figures_of(shown)
    short = foremost(figures)[:_SHORT_LIST]
    boards = board_cards(principal, shown, value, scheme) if isinstance(value, Soc) else []
    below = [
        *boards[:_ABOVE_FIGURES],
        figures_card(short, total=len(figures)),
        *_more(value, scheme),
        *boards[_ABOVE_FIGURES:],
    ]
    below += [calibrations_card(principal, value)] if isinstance(value, Soc) else []
    return html.Div(
        [
            html.Div(
                [
                    html.Div(picture(value, scheme, viewport_px), id=DocumentIds.PICTURE, className="grow"),
                    html.Div(versions_and_notes(principal, shown), className="document-side"),
                ],
                className="row top g12 stretch document-upper",
            ),
            html.Div(below, className="document-lower"),
        ],
        className="stack g12",
    )


def picture(value: Any, scheme: Scheme, viewport_px: int) -> Component:
    """Return the picture of the device."""
    drawn = picture_of(value)
    if drawn is None:
        return card("Picture", empty_state("photo", "No picture", "Documents of this kind have no picture.", level=3))
    figure = drawn.figure(value, scheme, max(420, viewport_px - _BESIDE_PICTURE_PX), PICTURE_HEIGHT_PX)
    plotted = plot(figure, height_px=PICTURE_HEIGHT_PX, summary=drawn.sentence(value))
    actions = [drawn.legend(value), figure_menu(table=drawn.curve)]
    body = html.Div(plotted, className="document-picture")
    return card(drawn.title, body, subtitle=drawn.subtitle, actions=actions, flush=True)


# -- figures ----------------------------------------------------------------------------------------------------------


def figures_of(shown: DocumentView) -> tuple[Figure, ...]:
    """Return every figure of the document; none where its content cannot be read."""
    value = loaded(shown.entry)
    return () if value is None else figure_table(shown.entry.content, value.sources, getattr(value, "confidence", None))


def foremost(figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures that one looks for first; all of them, in the order of the document, where none is known to be such."""

    def place(figure: Figure) -> int:
        parts = figure.key.split(".")
        general = ".".join([parts[0], "*", *parts[2:]]) if parts[0] in ("chiplets", "units") else figure.key
        return next(
            (i for i, start in enumerate(_FOREMOST) if general.startswith(start) or figure.key.startswith(start)),
            len(_FOREMOST),
        )

    ranked = sorted(figures, key=place)
    return [figure for figure in ranked if place(figure) < len(_FOREMOST)] or list(figures)


def figures_card(figures: Sequence[Figure], total: int = 0, missing: Sequence[str] = (), href: str = "") -> Component:
    """Return figures with unit, quality and source.

    Args:
        figures: figures of the document.
        total: number of total, where these are only some of them.
        missing: dotted keys of those that are not published.
        href: address of all of them as CSV; "" without one.
    """
    columns = [Column("Figure"), Column("Value", number=True), Column("Unit"), Column("Quality"), Column("Source")]
    rows = [_figure_row(figure) for figure in figures]
    rows += [
        [html.Span(title_of(key), title=key), html.Span("not published", className="t3"), "", "", ""] for key in missing
    ]
    words = f"{len(figures)} of {total}" if total > len(figures) else integer(len(figures))
    table = html.Div(plain_table(columns, rows), className="table-scroll figure-table")
    actions = [link_button("CSV", href, icon="download", size="small", download="")] if href else []
    return card("Values and their sources", table, subtitle=words, actions=actions, flush=True)


def _figure_row(figure: Figure) -> list[Component | str]:
    # Small after the colon, but for names that people gave ("chiplets.N").
    named = figure.key.partition(".")[2][:1].isupper()
    rest = figure.title if named else f"{figure.title[:1].lower()}{figure.title[1:]}"
    title = f"{figure.group}: {rest}" if figure.group else figure.title
    return [
        html.Span(title, title=figure.key),
        html.Span(_value(figure.value), className="m5"),
        figure.unit,
        chip(figure.quality, tone=_QUALITY_TONES[figure.quality]),
        html.Span(figure.source, className="t2 figure-source", title=figure.source),
    ]


def _value(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return integer(value) if float(value).is_integer() else significant(value, 6).rstrip("0").rstrip(".")


# -- systems on a chip ------------------------------------------------------------------------------------------------


def _more(value: Any, scheme: Scheme) -> list[Component]:
    """Return the power modes and the ladder of clocks of a system on a chip."""
    steps = html.Div(ladder(value, None, scheme), id=DocumentIds.LADDER)
    modes = value.power_modes if isinstance(value, Soc) else {}
    if not steps.children and not modes:
        # The callback that draws them again wants to find its places on every page.
        return [html.Div([steps, dcc.Input(id=DocumentIds.MODE, type="hidden")], hidden=True)]
    table = html.Div(modes_table(value), className="table-scroll") if modes else None
    title = "Power modes and frequency steps" if modes else "Frequency steps"
    words = f"{many(len(modes), 'mode')}" if modes else ""
    return [card(title, table, steps, subtitle=words, actions=[_mode_picker(list(modes)), figure_menu()], flush=True)]


def _mode_picker(modes: Sequence[str]) -> Component:
    """Return the selector of the power mode whose clocks are highlighted."""
    select: Component = dmc.Select(
        id=DocumentIds.MODE,
        data=[{"value": mode, "label": mode} for mode in modes],
        placeholder="all clocks",
        clearable=True,
        w=150,
        **{"aria-label": "Power mode with marked clocks"},
    )
    return select


def ladder(value: Any, mode: str | None, scheme: Scheme) -> Component | None:
    """Return the clocks of every unit, those of a power mode standing out; None where none are known."""
    if not isinstance(value, Soc) or not any(unit.known_clocks_hz for unit in value.units.values()):
        return None
    mode = mode if mode in value.power_modes else None
    summary = "Clocks that can be set, one line per unit; the table of values has their range."
    return plot(frequency_ladder(value, mode, scheme), summary=summary)


def modes_table(soc: Soc) -> Component:
    """Return a row per power mode: budget, and the highest clock of each unit with the cores in use."""
    names = [name for name, unit in soc.units.items() if unit.known_clocks_hz]
    heads = [Column("Mode"), Column("Budget", number=True, unit="W")]
    heads += [Column(name, number=True, unit="MHz") for name in names]
    heads += [Column("memory", number=True, unit="MHz")] if soc.memory else []
    heads += (
        [Column("Other clocks", unit="MHz")] if any(each.other_clocks_hz for each in soc.power_modes.values()) else []
    )
    rows = [_mode_row(soc, mode, names) for mode in soc.power_modes.values()]
    return plain_table(heads, rows, tight=True)


def _mode_row(soc: Soc, mode: PowerMode, names: Sequence[str]) -> list[Component | str]:
    row: list[Component | str] = [html.Span(mode.name, className="mono")]
    row.append(MISSING if mode.budget_w is None else significant(mode.budget_w).rstrip("0").rstrip("."))
    for name in names:
        limit = mode.units.get(name)
        cores = "" if limit is None or limit.active_cores is None else f"{limit.active_cores} × "
        highest = None if limit is None else limit.highest_frequency_hz
        off = limit is not None and limit.active_cores == 0
        clocks = (
            " / ".join(_mhz(each) for each in (highest, *limit.further_highest_hz)) if limit and highest else MISSING
        )
        row.append("off" if off else clocks if clocks == MISSING else f"{cores}{clocks}")
    if soc.memory:
        highest = mode.memory_highest_frequency_hz
        row.append(MISSING if highest is None else _mhz(highest))
    others = ", ".join(f"{name} {_mhz(clock)}" for name, clock in mode.other_clocks_hz.items())
    return [*row, others] if any(each.other_clocks_hz for each in soc.power_modes.values()) else row


def _mhz(frequency_hz: float) -> str:
    return significant(frequency_hz / 1e6, 5).rstrip("0").rstrip(".")
