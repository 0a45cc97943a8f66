"""Text in cells of CSV files. Spreadsheets compute what begins with one of `=+-@`; an apostrophe before it keeps it text.

The same signs of full width are computed as well. What is a number stays one. (OWASP, "CSV Injection".)
"""

from __future__ import annotations

import re
from typing import TypeVar

import pyarrow as pa

STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_PATTERN = rf"^[{re.escape(''.join(STARTS))}]"
Cell = TypeVar("Cell")


def as_text(cell: Cell) -> Cell | str:
    """Return the cell as no spreadsheet computes it: text that begins with one of `STARTS` and is no number gets an apostrophe."""
    if not isinstance(cell, str) or not cell.startswith(STARTS):
        return cell
    try:
        float(cell)
    except ValueError:
        return "'" + cell
    return cell


def as_texts(table: pa.Table) -> pa.Table:
    """Return the table with every cell and every name of a column through `as_text`."""
    columns = [_column(column) for column in table.columns]
    return pa.Table.from_arrays(columns, names=[as_text(name) for name in table.column_names])


def _column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    import pyarrow.compute as pc  # on use: every process of a site knows this module, few write tables

    if not pc.any(pc.match_substring_regex(column, _PATTERN)).as_py():
        return column
    return pa.chunked_array([pa.array([as_text(cell) for cell in column.to_pylist()], column.type)])
