"""All designs of a run as a table, sorted and filtered on the server: the browser holds a page of rows at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frontend.figures.numbers import decimals_for, scale_of
from frontend.pages.run_data import BoolArray, IntArray, RunDesigns

PAGE_ROWS = 100


def kind_of(designs: RunDesigns, number: int, on_front: BoolArray) -> tuple[str, str]:
    """What a design is, in words, and the mark it is drawn with."""
    if designs.is_baseline[number]:
        return str(designs.label[number]) or "baseline", "baseline"
    if designs.origin[number] == "user":
        return str(designs.label[number]) or "own design", "user"
    return ("front", "front") if on_front[number] else ("dominated", "plain")


def column_definitions(designs: RunDesigns) -> list[dict[str, Any]]:
    """Columns of the grid: number, what it is, every quantity in one unit, when it was found."""
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
        unit = scale_of(_finite(designs, quantity.name), quantity.unit).unit
        columns.append(
            {
                "field": quantity.name,
                "headerName": f"{quantity.title} ({unit})" if unit else quantity.title,
                "headerTooltip": quantity.help or quantity.name,
                "type": "rightAligned",
                "cellClass": "num ag-right-aligned-cell",
                "filter": "agNumberColumnFilter",
                "flex": 1,
                "minWidth": 104,
            }
        )
    found = {"field": "found", "headerName": "Found at evaluation", "type": "rightAligned", "width": 150}
    return [*columns, found | {"cellClass": "num ag-right-aligned-cell", "filter": "agNumberColumnFilter"}]


def _finite(designs: RunDesigns, name: str) -> Any:
    values = designs.columns[name]
    return values[np.isfinite(values)]


def table_page(designs: RunDesigns, request: Mapping[str, Any], among: BoolArray | None = None) -> dict[str, Any]:
    """The rows that AG Grid's infinite row model asks for: `startRow`, `endRow`, `sortModel`, `filterModel`.

    `among` tells which designs pass the page's own filters, shape `n`; None means all.
    """
    numbers = ordered_numbers(designs, request.get("sortModel") or [], request.get("filterModel") or {})
    numbers = numbers if among is None else numbers[among[numbers]]
    start, end = int(request.get("startRow") or 0), int(request.get("endRow") or PAGE_ROWS)
    return {"rowData": table_rows(designs, numbers[start:end]), "rowCount": len(numbers)}


def ordered_numbers(designs: RunDesigns, order: Sequence[Mapping[str, str]], filters: Mapping[str, Any]) -> IntArray:
    """Numbers of the designs that pass the filters, in the order asked for; missing values come last."""
    keep = np.ones(len(designs), dtype=bool)
    for field, condition in filters.items():
        keep &= _passes(designs, field, condition)
    numbers = np.flatnonzero(keep)
    for item in reversed(list(order)):
        values = _sortable(designs, item["colId"])[numbers]
        values = np.where(np.isnan(values), np.inf, -values if item["sort"] == "desc" else values)
        numbers = numbers[np.argsort(values, kind="stable")]
    return numbers


def _sortable(designs: RunDesigns, field: str) -> Any:
    if field == "kind":
        words, which = _kinds(designs)
        place = np.empty(len(words))
        place[np.argsort(words, kind="stable")] = np.arange(len(words))
        return place[which]
    if field == "found":
        return designs.found_at_evaluation.astype(np.float64)
    return designs.columns[field] if field in designs.columns else np.arange(len(designs), dtype=np.float64)


def _kinds(designs: RunDesigns) -> tuple[list[str], IntArray]:
    """The different words of `kind_of`, and which of them each design has, shape `n`."""
    on_front = np.zeros(len(designs), dtype=bool)
    on_front[designs.front] = True
    words = {"dominated": 0, "front": 1}
    which = on_front.astype(np.int64)
    for number in np.flatnonzero(designs.origin != "search"):
        which[number] = words.setdefault(kind_of(designs, int(number), on_front)[0], len(words))
    return list(words), which


def _passes(designs: RunDesigns, field: str, condition: Mapping[str, Any]) -> BoolArray:
    if "conditions" in condition:
        parts = [_passes(designs, field, part) for part in condition["conditions"]]
        return np.logical_or.reduce(parts) if condition.get("operator") == "OR" else np.logical_and.reduce(parts)
    if field == "kind":
        text = str(condition.get("filter", "")).lower()
        words, which = _kinds(designs)
        return np.array([text in word.lower() for word in words], dtype=bool)[which]
    values, factor = _sortable(designs, field), 1.0
    if field in designs.columns:
        factor = scale_of(_finite(designs, field), designs.quantity(field).unit).factor
    shown = values * factor
    low, high = (float(condition.get(name) or 0.0) for name in ("filter", "filterTo"))
    tests: dict[str, Any] = {
        "equals": lambda: np.isclose(shown, low, rtol=1e-4),
        "notEqual": lambda: ~np.isclose(shown, low, rtol=1e-4),
        "lessThan": lambda: shown < low,
        "lessThanOrEqual": lambda: shown <= low,
        "greaterThan": lambda: shown > low,
        "greaterThanOrEqual": lambda: shown >= low,
        "inRange": lambda: (shown >= low) & (shown <= high),
        "blank": lambda: np.isnan(shown),
        "notBlank": lambda: ~np.isnan(shown),
    }
    test = tests.get(str(condition.get("type")))
    return np.ones(len(designs), dtype=bool) if test is None else np.asarray(test(), dtype=bool)


def table_rows(designs: RunDesigns, numbers: IntArray) -> list[dict[str, Any]]:
    """Rows as text with equal decimals per column, so that the grid only lays them out."""
    on_front = np.zeros(len(designs), dtype=bool)
    on_front[designs.front] = True
    looks = {}
    for quantity in designs.quantities:
        values = _finite(designs, quantity.name)
        scale = scale_of(values, quantity.unit)
        looks[quantity.name] = (scale.factor, decimals_for(np.abs(values[:1000]) * scale.factor, 5))
    rows = []
    for number in numbers:
        kind, mark = kind_of(designs, int(number), on_front)
        row: dict[str, Any] = {
            "id": str(number),
            "number": int(number),
            "kind": kind,
            "mark": mark,
            "found": int(designs.found_at_evaluation[number]),
        }
        for name, (factor, places) in looks.items():
            value = float(designs.columns[name][number]) * factor
            row[name] = f"{value:.{places}f}" if np.isfinite(value) else "–"
        rows.append(row)
    return rows
