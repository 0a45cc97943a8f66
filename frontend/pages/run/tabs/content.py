"""The tabs of the run page beside the overview."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dash_ag_grid as dag
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.results import ChipletGrid, Schedule
from engines.running.time_limits import minutes_words
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.figure import plot
from frontend.components.figure_menu import figure_menu
from frontend.components.kpi import pairs
from frontend.components.legend import model_legend
from frontend.components.states import empty_state
from frontend.components.table import Column, grid_options, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import duration, integer, percent, si
from frontend.figures.schedule import By, block_words, lane_count, lanes_word
from frontend.figures.summary import grid_sentence, schedule_sentence
from frontend.ids.run import RunIds
from frontend.pages.new.data import command, draft_of_document
from frontend.pages.run.design.card import grid_legend, grid_picture, placement_table, schedule_picture
from frontend.pages.run.header import estimator_words
from frontend.pages.run.tabs.table import PAGE_ROWS, column_definitions
from frontend.pages.run.tabs.table_address import read_filters, read_sort
from frontend.pages.run.words import kept_words
from frontend.theme import Scheme
from webapp.runs import readers
from webapp.runs.service import start_from

if TYPE_CHECKING:
    from webapp.runs.models import LogLine, Run


def designs_tab(designs: RunDesigns, evaluations: int, sort: str = "", filters: str = "") -> Component:
    """The table of all designs; rows come from the server as one scrolls. `sort` and `filters` as in the address."""
    order, model = read_sort(sort, designs), read_filters(filters, designs)
    options = grid_options(
        rowSelection={"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
        rowHeight=32,
        cacheBlockSize=PAGE_ROWS,
        maxBlocksInCache=20,
        rowBuffer=0,
        infiniteInitialRowCount=1,
        tooltipShowDelay=300,
    )
    return html.Div(
        html.Section(
            [
                html.Div(
                    [
                        html.Span(kept_words(len(designs), evaluations), id=RunIds.KEPT, className="sm t2 el"),
                        html.Span(className="sp"),
                        html.Span(id=RunIds.TABLE_SHOWN, className="sm t2 num nw", role="status"),
                        html.Span(
                            button("Clear sort and filters", id=RunIds.TABLE_CLEAR, icon="x", size="small"),
                            hidden=not order and not model,
                        ),
                    ],
                    className="ch",
                ),
                dag.AgGrid(
                    id=RunIds.TABLE,
                    rowModelType="infinite",
                    columnDefs=column_definitions(designs, order),
                    filterModel=model,
                    defaultColDef={
                        "sortable": True,
                        "resizable": True,
                        "filterParams": {"buttons": ["reset"], "maxNumConditions": 2},
                    },
                    getRowId="params.data.id",
                    dashGridOptions=options,
                    className="run-table",
                    style={"height": "calc(100vh - 278px)", "minHeight": 320, "width": "100%"},
                ),
            ],
            className="card",
            **{"aria-label": "All designs"},
        )
    )


# -- grid of every window ---------------------------------------------------------------------------------------------


def grids_tab(grid: ChipletGrid, scheme: Scheme, width_px: int) -> Component:
    """Every window of the selected design, each as picture and as table."""
    columns = 2 if width_px >= 1000 else 1
    each = (width_px - 12 * (columns - 1)) // columns - 4
    height = 86 * grid.rows
    cards = [
        card(
            f"W{index + 1}",
            plot(
                grid_picture(grid, index, scheme, (each, height)), height_px=height, summary=grid_sentence(grid, index)
            ),
            html.Div(grid_legend(grid, index), className="row run-legend"),
            _as_table(placement_table(grid, index)),
            subtitle=f"{si(window.duration_s, 's')} from {si(window.start_s, 's')}",
            actions=[figure_menu(figure_data=f"design:{grid.name}", table=False, window=index)],
            flush=True,
        )
        for index, window in enumerate(grid.windows)
    ]
    return html.Div(cards, className="run-grids", style={"gridTemplateColumns": f"repeat({columns}, minmax(0, 1fr))"})


def _as_table(table: Component) -> Component:
    return html.Details(
        [html.Summary("Show as table", className="sm"), html.Div(table, className="table-scroll")], className="as-table"
    )


# -- schedule ---------------------------------------------------------------------------------------------------------


def schedule_tab(schedule: Schedule, scheme: Scheme, width_px: int) -> Component:
    """The schedule with room for every lane, by chiplet or unit and by model, and as a table of lanes."""
    cards = []
    # Lanes of a single model would say nothing that the lanes of its units do not.
    choices: tuple[By, ...] = ("chiplets", "models") if len(schedule.models) > 1 else ("chiplets",)
    lane = lanes_word(schedule).lower().removesuffix("s")
    for by in choices:
        lanes = max(1, lane_count(schedule, by))
        height = 52 + max(20, min(40, 720 // lanes)) * lanes
        figure = schedule_picture(schedule, None, scheme, (width_px, height), by)
        cards.append(
            card(
                f"By {lane if by == 'chiplets' else 'model'}",
                plot(figure, height_px=height, summary=schedule_sentence(schedule)),
                _as_table(_busy_table(schedule)) if by == "chiplets" else None,
                subtitle=block_words(schedule) if by == "chiplets" else "",
                actions=[
                    model_legend(schedule.models),
                    figure_menu(figure_data=f"design:{schedule.name}", table=by != "chiplets", by=by),
                ],
                flush=True,
            )
        )
    return html.Div(cards, className="stack g12")


def _busy_table(schedule: Schedule) -> Component:
    rows = [(lane.title, lane.kind, percent(lane.busy_fraction)) for lane in schedule.lanes]
    return plain_table([Column("Lane"), Column("Kind"), Column("Busy", number=True)], rows)


# -- provenance -------------------------------------------------------------------------------------------------------


def provenance_tab(run: Run) -> Component:
    """Everything that is needed to repeat the run."""
    facts = readers.provenance(run)
    document = start_from(run)
    shell = command(draft_of_document(document))
    files = html.Div(
        [
            link_button("Problem as JSON", f"/api/v1/runs/{run.pk}/problem.json", icon="download", size="small"),
            link_button("Problem as YAML", f"/api/v1/runs/{run.pk}/problem.yaml", icon="download", size="small"),
        ],
        className="row",
    )
    repeat = card(
        "Repeat it",
        html.Div("From the command line", className="sm t2"),
        html.Pre(shell, className="mono command"),
        html.Div("As a problem document, the same for browser, interface and notebook", className="sm t2"),
        html.Pre(json.dumps(document, indent=2, ensure_ascii=False), className="mono command tall"),
        files,
    )
    return html.Div(
        [
            html.Div([_pinned_card(run, facts), _inputs_card(facts), _platform_card(facts)], className="stack g12"),
            repeat,
        ],
        className="run-provenance",
    )


def _pinned_card(run: Run, facts: Mapping[str, Any]) -> Component:
    engine = facts["engine"]
    same = engine["version"] == engine["installed_version"]
    estimator = estimator_words(run)
    lines = [
        ("Title", run.title),
        ("Engine", f"{engine['title']} version {engine['version']}"),
        ("Installed version", f"{engine['installed_version']}" + ("" if same else ": another, start a new run")),
        ("Source", engine["source"]),
        *([("Cost", f"{estimator[0]} ({estimator[1]})")] if estimator else []),
        ("Seed", str(facts["seed"])),
        ("Problem hash", _hash(facts["problem_hash"])),
        ("Project", facts["project"]),
        ("Owner", facts["owner"]),
        ("Created", _time(facts["created"])),
        ("Started", _time(facts["started"])),
        ("Finished", _time(facts["finished"])),
        ("Attempts", str(facts["attempts"])),
        ("Computed", duration(facts["computed_s"]) if facts["computed_s"] else "–"),
        ("Time limit", minutes_words(facts["stop_after_minutes"]) if facts["stop_after_minutes"] else "none"),
    ]
    if facts.get("imported"):
        there = facts["imported"]
        words = f"run {there['run']:04d} of {there['owner']} in {there['project']} of another installation"
        lines.append(("Imported", words))
        lines.append(("Imported on", _time(there["imported"])))
        lines.append(("Exported on", _time(there["exported"])))
        lines.append(("Bundle", _hash(there["sha256"])))
        lines.append(("Checked", facts["checked"]))
    if facts.get("parent"):
        lines.append(("Started from", dcc.Link(f"run {facts['parent']:04d}", href=f"/runs/{facts['parent']}")))
    return card("Pinned", pairs(lines))


def _inputs_card(facts: Mapping[str, Any]) -> Component:
    heads = ("Slot", "Document", "Version", "SHA-256")
    rows = [
        html.Tr(
            [
                html.Td(item["slot"]),
                html.Td(
                    [
                        item["title"],
                        html.Div(item["slug"], className="mono t3"),
                        html.Div(item["source"], className="xs t2"),
                    ],
                    className="wrap",
                ),
                html.Td(str(item["version"]), className="r num"),
                html.Td(_hash(item["hash"])),
            ]
        )
        for item in facts["inputs"]
    ]
    table = html.Table(
        [html.Thead(html.Tr([html.Th(h, className="r" if h == "Version" else "") for h in heads])), html.Tbody(rows)],
        className="t",
    )
    params = pairs([(name, html.Span(json.dumps(value), className="mono")) for name, value in facts["params"].items()])
    return html.Div(
        [card("Inputs", html.Div(table, className="table-scroll")), card("Parameters", params)], className="stack g12"
    )


def _platform_card(facts: Mapping[str, Any]) -> Component | None:
    platform = facts["platform"]
    if not platform:
        return None
    return card("Platform of the run", pairs([(str(key), _plain(value)) for key, value in platform.items()]))


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _hash(digest: str) -> Component:
    return html.Span(digest, className="mono hash", title=digest)


def _time(text: str | None) -> str:
    return "–" if not text else text[:19].replace("T", " ") + " UTC"


# -- log --------------------------------------------------------------------------------------------------------------


def log_lines(lines: Sequence[LogLine]) -> Component:
    """The newest lines, oldest first."""
    if not lines:
        return empty_state("file-text", "The log is empty", "Lines appear as the engine and its keeper write them.")
    rows = [
        html.Div(
            [
                html.Span(
                    line.time.strftime("%Y-%m-%d %H:%M:%S"), className="t3", title=f"{line.time.isoformat()} (UTC)"
                ),
                html.Span(line.level, className={"error": "bad", "warning": "warn"}.get(line.level, "t3")),
                html.Span(line.text, className="log-text"),
            ],
            className="log-line mono",
        )
        for line in lines
    ]
    return html.Div(rows, className="log", role="log")


def count_words(count: int) -> str:
    """The count beside a tab's name."""
    return integer(count) if count else ""
