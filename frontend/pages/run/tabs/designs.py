"""The designs tab of the run page: the table of all designs."""

from __future__ import annotations

from collections.abc import Sequence

import dash_ag_grid as dag
from dash import html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.table import grid_options
from frontend.designs.run_decisions import RunDecisions
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import kept_words
from frontend.figures.numbers import integer
from frontend.ids.run import RunIds
from frontend.pages.run.tabs.table import PAGE_ROWS, column_definitions
from frontend.pages.run.tabs.table_address import read_filters, read_sort
from frontend.pages.run.tabs.table_columns import choosable, columns_menu, read_columns


def designs_tab(
    designs: RunDesigns,
    decisions: RunDecisions,
    evaluations: int,
    asked: tuple[str, str, str] = ("", "", ""),
    *,
    remarks: bool = False,
    actions: Sequence[Component] = (),
) -> Component:
    """Return the table of all designs; rows come from the server as one scrolls.

    `asked`: sort, filters, columns as in the address; `remarks` as in `column_definitions`; `actions` stand in its head.
    """
    sort, filters, chosen = asked
    order, model = read_sort(sort, designs, decisions), read_filters(filters, designs, decisions)
    columns = choosable(designs, decisions)
    shown = read_columns(chosen, columns)
    hidden = columns.keys() - set(shown)
    options = grid_options(
        rowSelection={"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
        rowHeight=32,
        headerHeight=46,  # three lines: names of quantities with their units are not cut off
        cacheBlockSize=PAGE_ROWS,
        maxBlocksInCache=20,
        rowBuffer=0,
        infiniteInitialRowCount=1,
        tooltipShowDelay=300,
        suppressFieldDotNotation=True,
    )
    return html.Div(
        html.Section(
            [
                html.Div(
                    [
                        html.Span(
                            kept_words(len(designs), evaluations, int((designs.origin == "user").sum())),
                            id=RunIds.KEPT,
                            className="sm t2 el",
                        ),
                        html.Span(className="sp"),
                        html.Span(id=RunIds.TABLE_SHOWN, className="sm t2 num nw", role="status"),
                        html.Span(
                            button("Clear sort and filters", id=RunIds.TABLE_CLEAR, icon="x", size="small"),
                            hidden=not order and not model,
                        ),
                        *actions,
                        columns_menu(columns, shown),
                    ],
                    className="ch",
                ),
                dag.AgGrid(
                    id=RunIds.TABLE,
                    rowModelType="infinite",
                    columnDefs=column_definitions(designs, order, decisions, hidden, remarks=remarks),
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


def count_words(count: int) -> str:
    """Return the count next to a tab's name."""
    return integer(count) if count else ""
