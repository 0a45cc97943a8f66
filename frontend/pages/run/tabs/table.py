"""All designs of a run as a table, sorted and filtered on the server: the browser holds a page of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.contract.decision_columns import TableColumn
from frontend.components.certainty import signed_title
from frontend.designs.run_decisions import FIELD, RunDecisions
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import Scale, decimals_for, fixed, integer, scale_of

PAGE_ROWS = 100
NUMBER, KIND, FOUND, REMARK = "number", "kind", "found", "remark"
NO_DECISIONS = RunDecisions()
OTHER_FIELDS = (NUMBER, KIND, FOUND)  # columns beside the quantities
# AG Grid's names of conditions that take a value -> whether a design passes.
NUMBER_TESTS: Mapping[str, Callable[[Any, float, float], Any]] = {
    "equals": lambda shown, value, _: np.isclose(shown, value, rtol=1e-4),
    "notEqual": lambda shown, value, _: ~np.isclose(shown, value, rtol=1e-4),
    "lessThan": lambda shown, value, _: shown < value,
    "lessThanOrEqual": lambda shown, value, _: shown <= value,
    "greaterThan": lambda shown, value, _: shown > value,
    "greaterThanOrEqual": lambda shown, value, _: shown >= value,
    "inRange": lambda shown, low, high: (shown >= low) & (shown <= high),
}
TEXT_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "contains": lambda word, text: text in word,
    "notContains": lambda word, text: text not in word,
    "equals": lambda word, text: word == text,
    "notEqual": lambda word, text: word != text,
    "startsWith": lambda word, text: word.startswith(text),
    "endsWith": lambda word, text: word.endswith(text),
}


def kind_of(designs: RunDesigns, number: int, on_front: BoolArray) -> tuple[str, str]:
    """Return the kind of a design in words, and its mark."""
    if designs.is_baseline[number]:
        return designs.label_of(number) or "baseline", "baseline"
    if designs.origin[number] == "user":
        return str(designs.label[number]) or "own design", "user"
    return ("front", "front") if on_front[number] else ("dominated", "plain")


def shown_factor(designs: RunDesigns, field: str) -> float:
    """Return the factor from the stored to the displayed unit of a column; 1 for columns without a quantity."""
    if field not in designs.columns:
        return 1.0
    return _scale(designs, field).factor


def column_definitions(
    designs: RunDesigns,
    order: Sequence[Mapping[str, str]] = (),
    decisions: RunDecisions = NO_DECISIONS,
    hidden: Collection[str] = (),
    *,
    remarks: bool = False,
) -> list[dict[str, Any]]:
    """Return the grid columns: number, role, remark, metrics in one unit each, decisions, and time of evaluation.

    `order` is the sort model that the grid begins with; `remarks` is whether any design has one; `hidden` names the columns that
    are left out of sight. `context` tells the browser the factor of the shown unit.
    """
    columns = _columns(designs, decisions)
    for column in columns:
        if column["field"] in hidden:
            column["hide"] = True
    if remarks:
        columns.insert(2, {
            "field": REMARK, "headerName": "Remark", "tooltipField": REMARK, "cellRenderer": "Words", "sortable": False,
            "filter": False, "flex": 1.4, "minWidth": 150,
        })  # fmt: skip
    for at, item in enumerate(order):
        column = next(column for column in columns if column["field"] == item["colId"])
        column |= {"initialSort": item["sort"], "initialSortIndex": at}
    return columns


def _columns(designs: RunDesigns, decisions: RunDecisions) -> list[dict[str, Any]]:
    columns: list[dict[str, Any]] = [
        {"field": "number", "headerName": "Design", "width": 96, "cellClass": "mono", "filter": "agNumberColumnFilter"},
        {
            "field": "kind",
            "headerName": "Kind",
            "cellRenderer": "DesignKind",
            "width": 170,
            "filter": "agTextColumnFilter",
        },
    ]
    for quantity in designs.quantities:
        scale = _scale(designs, quantity.name)
        columns.append(
            {
                "field": quantity.name,
                "headerName": f"{signed_title(quantity)} ({scale.unit})" if scale.unit else signed_title(quantity),
                "context": {"factor": scale.factor},
                "headerTooltip": quantity.tooltip,
                "type": "rightAligned",
                "cellClass": "num ag-right-aligned-cell",
                "filter": "agNumberColumnFilter",
                "flex": 1,
                "minWidth": 156 if quantity.name in designs.besides else 104,  # with the name of a device in the head
            }
        )
    columns += [_decision_column(column) for column in decisions.columns]
    found = {"field": "found", "headerName": "Found at evaluation", "type": "rightAligned", "width": 150}
    return [*columns, found | {"cellClass": "num ag-right-aligned-cell", "filter": "agNumberColumnFilter"}]


def _decision_column(column: TableColumn) -> dict[str, Any]:
    name = f"{FIELD}{column.name}"
    shown = {
        "field": name,
        "headerName": f"{column.title} ({column.unit})" if column.unit else column.title,
        "headerTooltip": f"Decision. {column.help}".strip(),
        "flex": 1,
    }
    if column.kind == "number":
        aligned = {"type": "rightAligned", "cellClass": "num ag-right-aligned-cell", "minWidth": 92}
        return shown | aligned | {"filter": "agNumberColumnFilter"}
    words = {
        "tooltipField": name,
        "filter": "agTextColumnFilter",
        "minWidth": 170 if column.kind == "sequence" else 110,
    }
    return shown | words | ({"flex": 2} if column.kind == "sequence" else {})


def _scale(designs: RunDesigns, name: str) -> Scale:
    return scale_of(_finite(designs, designs.unit_column(name)), designs.quantity(name).unit)


def _finite(designs: RunDesigns, name: str) -> Any:
    values = designs.columns[name]
    return values[np.isfinite(values)]


def table_page(
    designs: RunDesigns,
    request: Mapping[str, Any],
    among: BoolArray | None = None,
    remarks: Mapping[int, str] | None = None,
    decisions: RunDecisions = NO_DECISIONS,
) -> dict[str, Any]:
    """Return the rows that AG Grid's infinite row model asks for: `startRow`, `endRow`, `sortModel`, `filterModel`.

    `among` tells which designs pass the page's own filters, shape `n`; None means all. `remarks`: number -> its remark.
    """
    numbers = ordered_numbers(designs, request.get("sortModel") or [], request.get("filterModel") or {}, decisions)
    numbers = numbers if among is None else numbers[among[numbers]]
    start, end = int(request.get("startRow") or 0), int(request.get("endRow") or PAGE_ROWS)
    rows = table_rows(designs, numbers[start:end], decisions)
    if remarks:
        rows = [row | {REMARK: remarks.get(row["number"], "")} for row in rows]
    return {"rowData": rows, "rowCount": len(numbers)}


def ordered_numbers(
    designs: RunDesigns,
    order: Sequence[Mapping[str, str]],
    filters: Mapping[str, Any],
    decisions: RunDecisions = NO_DECISIONS,
) -> IntArray:
    """Return the numbers of the designs that pass the filters, in the order asked for; missing values come last."""
    keep = np.ones(len(designs), dtype=bool)
    for field, condition in filters.items():
        keep &= _passes(designs, decisions, field, condition)
    numbers = np.flatnonzero(keep)
    for item in reversed(list(order)):
        values = _sortable(designs, decisions, item["colId"])[numbers]
        values = np.where(np.isnan(values), np.inf, -values if item["sort"] == "desc" else values)
        numbers = numbers[np.argsort(values, kind="stable")]
    return numbers


def _sortable(designs: RunDesigns, decisions: RunDecisions, field: str) -> Any:
    decided = decisions.column(field)
    if decided is not None and decided.kind == "number":
        return decisions.values(decided.name).numbers
    worded = _worded(designs, decisions, field)
    if worded is not None:
        words, which = worded
        place = np.empty(len(words))
        place[np.argsort(words, kind="stable")] = np.arange(len(words))
        return np.where(np.array(words) == "", np.nan, place)[which]
    if field == "found":
        return designs.found_at_evaluation.astype(np.float64)
    return designs.columns[field] if field in designs.columns else np.arange(len(designs), dtype=np.float64)


def _kinds(designs: RunDesigns) -> tuple[list[str], IntArray]:
    """Return the different words of `kind_of`, and which of them each design has, shape `n`."""
    on_front = np.zeros(len(designs), dtype=bool)
    on_front[designs.front] = True
    words = {"dominated": 0, "front": 1}
    which = on_front.astype(np.int64)
    for number in np.flatnonzero(designs.origin != "search"):
        which[number] = words.setdefault(kind_of(designs, int(number), on_front)[0], len(words))
    return list(words), which


def _worded(designs: RunDesigns, decisions: RunDecisions, field: str) -> tuple[Sequence[str], IntArray] | None:
    """Return the different words of a column and which of them each design has, shape `n`; None for one of numbers."""
    if field == KIND:
        return _kinds(designs)
    decided = decisions.column(field)
    if decided is None or decided.kind == "number":
        return None
    values = decisions.values(decided.name)
    return values.words, values.which


def _passes(designs: RunDesigns, decisions: RunDecisions, field: str, condition: Mapping[str, Any]) -> BoolArray:
    if "conditions" in condition:
        parts = [_passes(designs, decisions, field, part) for part in condition["conditions"]]
        return np.logical_or.reduce(parts) if condition.get("operator") == "OR" else np.logical_and.reduce(parts)
    name = str(condition.get("type"))
    worded = _worded(designs, decisions, field)
    if worded is not None:
        return _passes_text(*worded, name, str(condition.get("filter") or "").lower())
    shown = _sortable(designs, decisions, field) * shown_factor(designs, field)
    if name in ("blank", "notBlank"):
        return np.asarray(np.isnan(shown) == (name == "blank"))
    low, high = (float(condition.get(each) or 0.0) for each in ("filter", "filterTo"))
    test = NUMBER_TESTS.get(name)
    return np.ones(len(designs), dtype=bool) if test is None else np.asarray(test(shown, low, high), dtype=bool)


def _passes_text(words: Sequence[str], which: IntArray, name: str, text: str) -> BoolArray:
    test = TEXT_TESTS.get(name)
    if test is None:
        return np.array([(word == "") == (name == "blank") for word in words], dtype=bool)[which]
    return np.array([test(word.lower(), text) for word in words], dtype=bool)[which]


def table_rows(designs: RunDesigns, numbers: IntArray, decisions: RunDecisions = NO_DECISIONS) -> list[dict[str, Any]]:
    """Return the rows as text with equal decimals per column, so that the grid only lays them out."""
    on_front = np.zeros(len(designs), dtype=bool)
    on_front[designs.front] = True
    looks = {}
    for quantity in designs.quantities:
        values, scale = _finite(designs, designs.unit_column(quantity.name)), _scale(designs, quantity.name)
        looks[quantity.name] = (scale.factor, decimals_for(np.abs(values[:1000]) * scale.factor, 5))
    rows = []
    for number, decided in zip(numbers, decisions.rows(numbers.tolist()), strict=True):
        kind, mark = kind_of(designs, int(number), on_front)
        row: dict[str, Any] = {
            "id": str(number),
            "number": int(number),
            "kind": kind,
            "mark": mark,
            "found": integer(int(designs.found_at_evaluation[number])),
            **decided,
        }
        for name, (factor, places) in looks.items():
            value = float(designs.columns[name][number]) * factor
            row[name] = fixed(value, places)
        rows.append(row)
    return rows
