"""The list of the catalogue: hardware as cards, workloads as a table, with search and filters. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.workloads.tasks import TASKS
from frontend.components.button import link_button
from frontend.components.icon import icon
from frontend.components.items.mark_filters import read_marks
from frontend.components.kept_part import kept_part
from frontend.components.name import cut_name
from frontend.components.pictures.hardware_thumbnail import hardware_thumbnail
from frontend.components.states import empty_state
from frontend.components.tab_bar import tab_bar
from frontend.components.table import grid_options
from frontend.figures.hardware.soc_diagram import unit_finish
from frontend.figures.numbers import integer
from frontend.ids.catalogue import BrowseIds
from frontend.pages.catalogue.calibrations import calibration_table
from frontend.pages.catalogue.data import (
    NETWORK,
    SCENARIO,
    WORK,
    HardwareItem,
    WorkloadItem,
    address_of,
    filtered_hardware,
    filtered_workloads,
    hardware_groups,
    hardware_items,
    matches,
    workload_items,
)
from frontend.pages.catalogue.document.frame import official_marks
from frontend.pages.catalogue.learning import KINDS as LEARNING
from frontend.pages.catalogue.learning import learning_table
from frontend.theme import hardware_style
from webapp.annotations.marks import AskedMarks, only_marked, starred, tag_counts
from webapp.catalogue.models import Document
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.visibility import Principal, visible

KINDS = {"hardware": "Hardware", "workload": "Workloads", "calibration": "Calibrations", **LEARNING}
Filters = Mapping[str, Any]


def page(principal: Principal, kind: str, search: str, filters: Filters) -> Component:
    """Return the content of the page below the navigation bar."""
    items = hardware_items(principal) if kind == "hardware" else []
    found, count = results(principal, kind, search, filters, items)
    tabs = [
        dcc.Link(words, href=f"/catalogue?kind={name}", className="ptab on" if name == kind else "ptab")
        for name, words in KINDS.items()
    ]
    field: Component = dmc.TextInput(
        id=BrowseIds.SEARCH,
        value=search,
        placeholder=f"Filter {KINDS[kind].lower()}",
        debounce=150,
        leftSection=icon("search", "s"),
        w=260,
        **{"aria-label": f"Filter {KINDS[kind].lower()} by words"},
    )
    controls = [field, *_selects(principal, kind, filters, items), html.Span(className="sp")]
    return html.Div(
        [
            dcc.Store(id=BrowseIds.KIND, data=kind),
            html.Div(
                [html.H1("Catalogue"), html.Span(className="sp"), *_actions(kind)],
                className="head row",
            ),
            tab_bar(tabs, "Kinds of documents", links=True),
            html.Div(
                [
                    html.Div(
                        [*controls, html.Span(count, id=BrowseIds.COUNT, className="sm t3 num", role="status")],
                        className="row wrap catalogue-controls",
                    ),
                    html.Div(found, id=BrowseIds.RESULTS),
                ],
                className="page catalogue",
            ),
        ]
    )


def _actions(kind: str) -> list[Component]:
    build = [link_button("Build a scenario", "/scenarios/new", icon="plus")] if kind == "workload" else []
    if kind == "calibration":
        build = [
            link_button("Import measured values", "/measured-values/import", icon="upload"),
            link_button("Calibrate with your measurements", "/catalogue/calibrate", icon="chart-scatter"),
        ]
    return [*build, link_button("Add your own", "/catalogue/upload", icon="upload")]


def _selects(principal: Principal, kind: str, filters: Filters, items: Sequence[HardwareItem]) -> list[Component]:
    if kind == "calibration" or kind in LEARNING:
        return _mark_selects(principal, filters)
    if kind == "workload":
        used = {item.task for item in workload_items(principal)}
        return [
            *_mark_selects(principal, filters),
            _select("group", "Kind", [(name, name) for name in (NETWORK, SCENARIO)], filters),
            _select("task", "Task", [(task, task) for task in TASKS if task in used], filters),
            _select("work", "MACs", [(name, name) for name in WORK], filters),
        ]
    dataflows = dict.fromkeys(kind for item in items for kind in item.kinds)
    sizes = sorted({size for item in items for size in item.sizes})
    return [
        *_mark_selects(principal, filters),
        _select(
            "group",
            "Kind",
            [(name, name) for name in hardware_groups() if any(i.group == name for i in items)],
            filters,
        ),
        _select(
            "dataflow",
            "Dataflow or unit",
            [(name, hardware_style(unit_finish(name)).label) for name in dataflows],
            filters,
        ),
        _select("elements", "PEs per chiplet", [(str(size), integer(size)) for size in sizes], filters),
    ]


def _mark_selects(principal: Principal, filters: Filters) -> list[Component]:
    """Return the filters by tag and star, where any document has one."""
    tags = [word for word, _ in tag_counts(principal, "document")]
    tag = [_select("tag", "Tag", [(word, word) for word in tags], filters)] if tags else []
    stars = starred(principal, "document").exists()
    return [*tag, *([_select("star", "Favourites", [("1", "Favourites")], filters)] if stars else [])]


def _select(name: str, label: str, options: Sequence[tuple[str, str]], filters: Filters) -> Component:
    chosen = filters.get(name)
    control: Component = dmc.Select(
        id={"type": BrowseIds.FILTER_TYPE, "name": name},
        data=[{"value": value, "label": words} for value, words in options],
        value=chosen if chosen in {value for value, _ in options} else None,
        placeholder=label,
        clearable=True,
        w=164,
        **{"aria-label": label},
    )
    return control


# -- results ----------------------------------------------------------------------------------------------------------


def results(
    principal: Principal, kind: str, search: str, filters: Filters, hardware: Sequence[HardwareItem] | None = None
) -> tuple[list[Component], str]:
    """Return the matching documents as cards or as a table, with their number.

    Args:
        principal: who reads.
        kind: one of `KINDS`.
        search: words that a match contains.
        filters: values of the selects.
        hardware: all hardware that the principal sees, where it is read already.
    """
    marked = _marked_names(principal, kind, read_marks(filters))
    if kind == "workload":
        workloads = [item for item in workload_items(principal) if marked is None or item.entry.name in marked]
        rows = filtered_workloads(workloads, search, filters)
        return [workload_table(rows) if rows else _nothing()], _count(len(rows), len(workloads))
    if kind == "calibration":
        every = _only(list_documents(principal, "calibration"), marked)
        entries = [entry for entry in every if matches(entry, search, str(entry.content.get("soc", "")))]
        table = html.Section(calibration_table(entries), className="card", **{"aria-label": "Calibrations"})
        return [table if entries else _nothing()], _count(len(entries), len(every))
    if kind in LEARNING:
        every = _only(list_documents(principal, kind), marked)
        entries = [entry for entry in every if matches(entry, search)]
        return [learning_table(kind, entries) if entries else _nothing()], _count(len(entries), len(every))
    hardware = hardware_items(principal) if hardware is None else hardware
    items = [item for item in hardware if marked is None or item.entry.name in marked]
    cards = filtered_hardware(items, search, filters)
    return hardware_cards(cards) if cards else [_nothing()], _count(len(cards), len(items))


def _marked_names(principal: Principal, kind: str, asked: AskedMarks) -> set[str] | None:
    """Return the names of the documents with the tag and the star that are asked for; None where neither is."""
    if asked == AskedMarks():
        return None
    rows = only_marked(principal, "document", visible(principal, Document.objects.filter(kind=kind)), asked)
    return {f"{project}/{slug}" for project, slug in rows.values_list("project__slug", "slug")}


def _only(entries: Sequence[DocumentEntry], names: set[str] | None) -> list[DocumentEntry]:
    return [entry for entry in entries if names is None or entry.name in names]


def _count(shown: int, total: int) -> str:
    return integer(total) if shown == total else f"{integer(shown)} of {integer(total)}"


def _nothing() -> Component:
    words = "No document has all of these words and properties. Remove a filter."
    return html.Section(empty_state("search", "Nothing matches", words), className="card home-empty")


def hardware_cards(items: Sequence[HardwareItem]) -> list[Component]:
    """Return the cards under the heading of their group."""
    parts: list[Component] = []
    for group in dict.fromkeys(item.group for item in items):
        members = [item for item in items if item.group == group]
        head = [html.H2(group, className="section-title"), html.Span(integer(len(members)), className="sm t3 num")]
        cards = html.Div([_hardware_card(item) for item in members], className="catalogue-cards")
        parts.append(html.Section([html.Div(head, className="row section-head"), cards], **{"aria-label": group}))
    return parts


def _hardware_card(item: HardwareItem) -> Component:
    entry = item.entry
    if entry.builtin:
        return _built_in_card(entry.title, entry.version, item.layout, item.facts, address_of(entry))
    owner = official_marks(entry) or str(entry.project)
    return _card(entry.title, entry.version, item.layout, item.facts, address_of(entry), owner)


@lru_cache(maxsize=1024)
def _built_in_card(
    title: str, version: int, layout: tuple[tuple[str, ...], ...], facts: tuple[str, ...], href: str
) -> Component:
    """Return the card of a built-in document, made once: most cards are such, and making one takes half a millisecond."""
    return kept_part(_card(title, version, layout, facts, href, "built in"))


def _card(
    title: str, version: int, layout: tuple[tuple[str, ...], ...], facts: tuple[str, ...], href: str, owner: Any
) -> Component:
    picture = hardware_thumbnail(layout) if layout else icon("cpu", "l", "t3")
    return dcc.Link(
        [
            html.Div(picture, className="catalogue-picture"),
            html.Div(
                [
                    html.Div(
                        [
                            cut_name(title, "b"),
                            html.Span(className="sp"),
                            html.Span(f"v{version}", className="xs t3 num"),
                        ],
                        className="row",
                    ),
                    html.Div(" · ".join(facts), className="sm t2 two-lines"),
                    html.Div(owner, className="xs t3 el"),
                ],
                className="grow",
            ),
        ],
        href=href,
        className="pick catalogue-card",
    )


def workload_table(items: Sequence[WorkloadItem]) -> Component:
    """Return one row per workload; sorted by a click on a head, opened by a click or Enter on its name."""
    right = {"type": "rightAligned", "cellClass": "num ag-right-aligned-cell", "width": 118}

    def figure(field: str, head: str, unit: str) -> dict[str, Any]:
        return {
            "field": field,
            "headerName": head,
            "cellRenderer": "Figure",
            "cellRendererParams": {"unit": unit},
            **right,
        }

    columns: list[dict[str, Any]] = [
        {"field": "title", "headerName": "Workload", "cellRenderer": "DocumentTitle", "flex": 3, "minWidth": 260},
        {
            "field": "profile",
            "headerName": "MACs by layer",
            "cellRenderer": "WorkProfile",
            "width": 130,
            "cellDataType": False,
            "sortable": False,
        },
        {"field": "task", "headerName": "Task", "cellClass": "el-cell", "flex": 1, "minWidth": 150},
        {"field": "layers", "headerName": "Layers", **right, "width": 88},
        figure("macs", "MACs", "MAC"),
        figure("parameters", "Parameters", ""),
        figure("peak", "Activation peak", "B"),
        figure("intensity", "Intensity", "MAC/B"),
        {"field": "owner", "headerName": "Owner", "cellClass": "t2 el-cell", "width": 110},
    ]
    return html.Section(
        dag.AgGrid(
            id=BrowseIds.TABLE,
            rowData=[_row(item) for item in items],
            columnDefs=columns,
            defaultColDef={"resizable": True, "suppressHeaderMenuButton": True, "sortable": True},
            getRowId="params.data.href",
            dashGridOptions=grid_options(tooltipShowDelay=300),
            className="home-table catalogue-table",
            style={"height": None, "width": "100%"},
        ),
        className="card",
        **{"aria-label": "Workloads"},
    )


def _row(item: WorkloadItem) -> dict[str, Any]:
    entry = item.entry
    return {
        "href": address_of(entry),
        "title": entry.title,
        "name": entry.name,
        "version": entry.version,
        "task": item.task,
        "layers": item.layers,
        "macs": item.macs,
        "parameters": item.parameters,
        "peak": item.activation_peak,
        "intensity": item.intensity,
        "profile": list(item.profile),
        "owner": "built in" if entry.builtin else "Official" if entry.official else entry.project,
    }
