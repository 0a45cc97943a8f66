"""Table in a text file: its head, and its columns, read in one pass and in batches, so that millions of rows need little memory."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.tables.cells import CellError, Cells
from engines.tables.text import Layout, layout_of

MAX_ROWS = 20_000_000
BATCH_BYTES = 4 << 20
_ACCEPTED = "a text table in which every quote is closed"


class Table:
    """A table with a head.

    Args:
        data: the file.
        name: name in messages.
        most_columns: largest accepted number of columns.

    Raises:
        ProblemError: the file is no text, or has no head of two columns or more.
    """

    def __init__(self, data: bytes, name: str, most_columns: int) -> None:
        self.name = name
        self._layout: Layout = layout_of(data, name, most_columns)
        self.head, self.line, self.notes = self._layout.head, self._layout.line, self._layout.notes

    def place(self, column: int) -> str:
        """Return the name of a column (counted from 0) in messages: "column 2 (power_w)"."""
        return f"column {column + 1} ({self.head[column]})"

    def read(self, columns: Mapping[int, Cells], clocks: Mapping[int, int] | None = None) -> dict[int, Any]:
        """Return the values of the given columns.

        Args:
            columns: index -> what takes its cells.
            clocks: index of a column of days -> that of the times of these days, which are read as one text.

        Raises:
            ProblemError: names line and column of what cannot be read, of rows of another length, of too many rows.
        """
        rows = 0
        for batch in self._batches():
            for column, cells in columns.items():
                taken = batch.column(column)
                if clocks and column in clocks:
                    both = (pc.utf8_trim_whitespace(batch.column(each)) for each in (column, clocks[column]))
                    taken = pc.binary_join_element_wise(*both, " ")
                try:
                    cells.take(taken)
                except CellError as error:
                    raise self.error(rows + error.row, column, error.accepted, error.remedies) from error
            rows += batch.num_rows
            if rows > MAX_ROWS:
                raise ProblemError(
                    "file", f"more than {counted(MAX_ROWS)} rows", f"a file of at most {counted(MAX_ROWS)} rows"
                )
        if not rows:
            raise ProblemError("file", "no rows", "a table with rows below the head")
        whole = {}
        for column, cells in columns.items():
            try:
                whole[column] = cells.whole()
            except CellError as error:
                raise self.error(error.row, column, error.accepted, error.remedies) from error
        return whole

    def first_row(self) -> list[str]:
        """Return the cells of the first row; empty where there is none."""
        return next((cells for _, cells in self._rows()), [])

    def cell(self, row: int, column: int) -> tuple[int, str]:
        """Return line, from 1 on, and text of a cell; `row` counts from 0 on."""
        for number, (line, cells) in enumerate(self._rows()):
            if number == row:
                return line, cells[column] if column < len(cells) else ""
        return self.line, ""

    def error(self, row: int, column: int, accepted: str, remedies: Sequence[str] = ()) -> ProblemError:
        """Return the refusal of a cell."""
        line, cell = self.cell(row, column)
        return ProblemError(self.place(column), cell[:60], accepted, line, remedies=remedies)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        names = [str(column) for column in range(len(self.head))]
        separator = self._layout.separator
        body = _without_idle_lines(self._layout.text, self._layout.begin, separator)
        if not body.size:
            return
        wrong: list[tuple[int, int]] = []

        def refuse(row: arrow_csv.InvalidRow) -> str:
            wrong.append((int(row.number or 0), row.actual_columns))
            return "error"

        try:
            yield from arrow_csv.open_csv(
                pa.BufferReader(body),
                read_options=arrow_csv.ReadOptions(column_names=names, block_size=BATCH_BYTES, use_threads=False),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=separator, newlines_in_values=b'"' in self._layout.text, invalid_row_handler=refuse
                ),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
                ),
            )
        except pa.ArrowInvalid as error:
            if wrong:
                raise self._wrong_row() from error
            raise ProblemError("file", str(error)[:200], _ACCEPTED) from error

    def _wrong_row(self) -> ProblemError:
        want = len(self.head)
        line, got = next(((line, len(cells)) for line, cells in self._rows() if len(cells) != want), (self.line, 0))
        commas = self._layout.separator == "," and got == 2 * want
        hint = ["Use another separator for decimal commas, or quotes around numbers."] if commas else []
        return ProblemError("row", f"{got} values", f"{want} values, one per column of the head", line, remedies=hint)

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and cells of every row, slowly: for messages."""
        stream = io.BytesIO(self._layout.text)  # decoded line by line: the first row is wanted of every file
        stream.seek(self._layout.begin)
        lines = io.TextIOWrapper(stream, "utf-8", errors="replace", newline="\n")
        reader = csv.reader(lines, delimiter=self._layout.separator)
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise ProblemError("file", str(error), _ACCEPTED, self.line + reader.line_num) from error
            if row is None:
                return
            if any(cell.strip() for cell in row) and not row[0].startswith("#"):
                yield self.line + reader.line_num, [cell.strip() for cell in row]


def _without_idle_lines(text: bytes, begin: int, separator: str) -> pa.Buffer:
    """Return the rows from `begin` on without comments and empty rows, which are tested only where a line begins like one."""
    idle = np.zeros(256, bool)
    idle[list(b"# \t\n" + separator.encode())] = True
    for at in range(begin - 1, len(text), BATCH_BYTES):  # from the line feed before the first row on
        part = np.frombuffer(text, np.uint8, min(BATCH_BYTES + 1, len(text) - at), at)
        if idle[part[1:][part[:-1] == ord("\n")]].any():
            sign = re.escape(separator.encode())
            return pa.py_buffer(re.sub(rb"(?m)^(?:#[^\n]*|[ \t" + sign + rb"]*)(?:\n|\Z)", b"", text[begin:]))
    return pa.py_buffer(text).slice(begin)
