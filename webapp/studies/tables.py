"""The table of a study: one axis across, the others down, the median over the runs of each cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Any

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.contract.quantities import Quantity
from engines.documents.problems import validate_params
from engines.exchange.csv_cells import as_text
from webapp.runs.models import Run
from webapp.studies.document import SEED, WORKLOADS, Axis, Grid, short_name
from webapp.studies.models import Study
from webapp.studies.service import grid_of
from webapp.studies.values import FIELDS, RunRow, RunValues, tabulated, values_of

BASELINES = "baselines"
SEARCH = "Best found"


@dataclass(frozen=True)
class RunValue:
    """A run in a cell; `value` is None before its first design."""

    run: RunRow
    value: float | None


@dataclass(frozen=True)
class TableCell:
    """The runs of a cell in the order of their seeds; the figures are over those that have a value."""

    runs: tuple[RunValue, ...]

    @property
    def values(self) -> list[float]:
        """Return what was found, in the order of the runs."""
        return [each.value for each in self.runs if each.value is not None]

    @property
    def count(self) -> int:
        """How many runs have a value."""
        return len(self.values)

    @property
    def median(self) -> float | None:
        """The median; None without values."""
        return float(median(self.values)) if self.values else None

    @property
    def low(self) -> float | None:
        """The least value."""
        return min(self.values, default=None)

    @property
    def high(self) -> float | None:
        """The largest value."""
        return max(self.values, default=None)

    @property
    def active(self) -> bool:
        """Whether a run of the cell waits or is at work."""
        return any(each.run.active for each in self.runs)


@dataclass(frozen=True)
class TableRow:
    """One row: its place on the row axes, and a cell per column."""

    key: tuple[Any, ...]
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class StudyTable:
    """Rows x columns of medians.

    Attributes:
        quantity: displayed quantity.
        row_axes: the axes down, the chosen one first.
        column_axis: name of the axis across, `BASELINES`, or "" for a single column.
        columns: value of the axis, or name of the baseline, per column.
    """

    quantity: Quantity
    row_axes: tuple[Axis, ...]
    column_axis: str
    columns: tuple[Any, ...]
    rows: tuple[TableRow, ...]

    @property
    def medians(self) -> list[float]:
        """Every median there is."""
        return [cell.median for row in self.rows for cell in row.cells if cell.median is not None]


@dataclass(frozen=True)
class Choice:
    """The checked choice of a table: names of the axis that leads the rows ("" for none) and of the one across; metric."""

    rows: str
    columns: str
    quantity: Quantity


def row_choices(grid: Grid) -> tuple[str, ...]:
    """Return the axes that may lead the rows."""
    return tuple(axis.name for axis in grid.varying if axis.name != SEED)


def column_choices(grid: Grid) -> tuple[str, ...]:
    """Return the possible column axes; "" is a single column."""
    return (*(axis.name for axis in grid.varying), BASELINES, "")


def primary_quantity(grid: Grid) -> Quantity:
    """Return the quantity by which the engine tells "best" in the study's first cell."""
    engine, shown = grid.engine, tabulated(grid.engine.quantities)
    try:
        params = validate_params(engine.Params, grid.params_of(next(grid.cells())))
    except ProblemError:  # of a study that began with an earlier version
        return shown[0]
    name = engine.primary_metric(Problem(engine.name, engine.version, {}, params))
    return next((quantity for quantity in shown if quantity.name == name), shown[0])


def choose(grid: Grid, rows: str | None, columns: str | None, quantity: str | None) -> Choice:
    """Return the shown table: as requested, else the first two axes and the engine's own quantity.

    Workloads lead the rows where there are several: the best of a row then compares like with like.

    Raises:
        ProblemError: an axis or quantity that the study does not have; field "rows", "columns" or "quantity".
    """
    down, across = row_choices(grid), column_choices(grid)
    known = {each.name: each for each in tabulated(grid.engine.quantities)}
    _require("rows", rows, down)
    _require("columns", columns, across)
    _require("quantity", quantity, tuple(known))
    first = sorted(down, key=lambda name: name != WORKLOADS)
    chosen_rows = rows if rows is not None else next((name for name in first if name != columns), "")
    others = [name for name in down if name != chosen_rows]
    chosen_columns = columns if columns is not None else (others[0] if others else BASELINES)
    if chosen_columns and chosen_columns == chosen_rows:
        raise ProblemError("columns", chosen_columns, "an axis other than that of the rows")
    shown = known[quantity] if quantity is not None else primary_quantity(grid)
    return Choice(chosen_rows, chosen_columns, shown)


def _require(field: str, got: str | None, accepted: Sequence[str]) -> None:
    if got is not None and got not in accepted:
        raise ProblemError(field, got, "one of " + ", ".join(name or '""' for name in accepted))


def study_table(
    study: Study, rows: str | None = None, columns: str | None = None, quantity: str | None = None
) -> StudyTable:
    """Return the table, in at most three queries however many runs there are. The caller has asked for the study.

    Every axis that is neither across nor the seeds stands down, so that a cell never mixes anything but seeds.

    Raises:
        ProblemError: as `choose`.
    """
    grid = grid_of(study)
    choice = choose(grid, rows, columns, quantity)
    first = tuple(axis for axis in grid.axes if axis.name == choice.rows)
    down = tuple(axis for axis in grid.varying if axis.name not in (choice.rows, choice.columns, SEED))
    runs = [
        RunRow(*row)
        for row in Run.objects.filter(study=study, deleted__isnull=True).order_by("pk").values_list(*FIELDS)
    ]
    values = values_of(runs, grid.engine.quantities)
    return _arranged(choice, grid, (*first, *down), runs, values)


def _arranged(
    choice: Choice, grid: Grid, row_axes: tuple[Axis, ...], runs: Sequence[RunRow], values: Mapping[int, RunValues]
) -> StudyTable:
    name = choice.quantity.name
    heads = _columns(choice, grid, values.values())
    across = next((axis for axis in grid.axes if axis.name == choice.columns), None)
    places: dict[tuple[tuple[int | None, ...], int], list[RunValue]] = {}
    for run in runs:
        row = tuple(axis.position(run.cell.get(axis.name)) for axis in row_axes)
        column = None if across is None else across.position(run.cell.get(across.name))
        found = values[run.pk]
        for position, head in enumerate(heads):
            if across is not None and position != column:
                continue
            source = found.baselines.get(head, {}) if choice.columns == BASELINES and position else found.best
            places.setdefault((row, position), []).append(RunValue(run, source.get(name)))
    rows = [
        TableRow(
            tuple(axis.values[i] for axis, i in zip(row_axes, key, strict=True)),
            tuple(TableCell(tuple(places.get((key, column), ()))) for column in range(len(heads))),
        )
        for key in product(*(range(len(axis.values)) for axis in row_axes))
    ]
    return StudyTable(choice.quantity, row_axes, choice.columns, heads, tuple(rows))


def _columns(choice: Choice, grid: Grid, values: Iterable[RunValues]) -> tuple[Any, ...]:
    if choice.columns == BASELINES:
        return (SEARCH, *dict.fromkeys(label for found in values for label in found.baselines))
    if not choice.columns:
        return (SEARCH,)
    return next(axis.values for axis in grid.axes if axis.name == choice.columns)


def table_csv(table: StudyTable) -> str:
    """Return one line per cell: its place, the metric with its unit, runs, values, median, least, largest, run numbers."""
    unit = f" [{table.quantity.unit}]" if table.quantity.unit else ""
    name = table.quantity.name
    figures = (f"{name}_median{unit}", f"{name}_min{unit}", f"{name}_max{unit}")
    across = short_name(table.column_axis) if table.column_axis not in ("", BASELINES) else "design"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        [*(short_name(axis.name) for axis in table.row_axes), across, "runs", "values", *figures, "run_ids"]
    )
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            numbers = " ".join(str(each.run.pk) for each in cell.runs)
            found = ["" if value is None else repr(value) for value in (cell.median, cell.low, cell.high)]
            place = [as_text(each) for each in (*row.key, column)]
            writer.writerow([*place, len(cell.runs), cell.count, *found, numbers])
    return text.getvalue()
