"""The table of a study for the command line."""

from __future__ import annotations

from rich.table import Table

from webapp.runs.results.summaries import si
from webapp.studies.document import short_name
from webapp.studies.tables import StudyTable, TableCell


def printed_table(table: StudyTable) -> Table:
    """Return the rows x columns of medians; how many values a median is of stands behind it where it is not of all runs."""
    printed = Table()
    for axis in table.row_axes:
        printed.add_column(short_name(axis.name))
    for head in table.columns:
        printed.add_column(str(head), justify="right")
    for row in table.rows:
        printed.add_row(*(str(value) for value in row.key), *(_cell(cell, table.quantity.unit) for cell in row.cells))
    return printed


def _cell(cell: TableCell, unit: str) -> str:
    if cell.median is None:
        return "-"
    shown = si(cell.median, unit)
    return shown if cell.count == len(cell.runs) else f"{shown} ({cell.count} of {len(cell.runs)})"
