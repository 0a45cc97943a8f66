"""Decisions of designs, as columns that a table can show, sort and filter next to metrics.

An engine declares these (`Engine.decision_columns`); without a declaration, every entry of a decision is a column. A value is a
number, a text, or a sequence of these ("which unit runs each block"); a mapping, such as clocks per unit, makes a column of each
entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from engines.contract.designs import canonical_json

DecisionKind = Literal["category", "number", "sequence"]
# A value as it is compared: None where a design does not decide it.
Cell = float | str | tuple[float | str, ...] | None
MOST_CHARACTERS = 240


@dataclass(frozen=True)
class DecisionColumn:
    """A decision of an engine's designs, shown as a table column.

    Attributes:
        name: name of the column, unique in the engine. Without `read`, the column shows the entry of the decision with this name.
        title: heading of the column, without unit.
        unit: unit of numbers, shown unchanged; "" for none.
        help: tooltip, one sentence.
        read: decision -> number, truth value, text, list or mapping of these. It returns None or raises LookupError where a design
            decides nothing here.
    """

    name: str
    title: str
    unit: str = ""
    help: str = ""
    read: Callable[[Mapping[str, Any]], Any] | None = None

    def value(self, decision: Mapping[str, Any]) -> Any:
        """Return the value of this column in `decision`; None where the decision has no such value."""
        try:
            return decision.get(self.name) if self.read is None else self.read(decision)
        except LookupError:
            return None


@dataclass(frozen=True)
class TableColumn:
    """A column of a table of decisions: `varies` says whether its designs differ in it; other fields as in `DecisionColumn`."""

    name: str
    title: str
    kind: DecisionKind
    unit: str = ""
    help: str = ""
    varies: bool = True


def decided_cells(declared: Sequence[DecisionColumn], decision: Mapping[str, Any]) -> dict[str, Cell]:
    """Return column name -> value of one decision; an entry of a mapping becomes the column "name.entry"."""
    found: dict[str, Cell] = {}
    for each in declared or [DecisionColumn(key, key) for key in decision]:
        value = each.value(decision)
        if isinstance(value, Mapping):
            found.update({f"{each.name}.{key}": _cell(entry) for key, entry in value.items()})
        else:
            found[each.name] = _cell(value)
    return found


def decision_columns(
    declared: Sequence[DecisionColumn], decisions: Iterable[Mapping[str, Any]]
) -> tuple[TableColumn, ...]:
    """Return the columns of these decisions, in declared order; without a declaration in the order of the entries."""
    cells: dict[str, dict[Cell, None]] = {}
    looked_at = list(decisions)
    rows = [decided_cells(declared, decision) for decision in looked_at]
    for row in rows:
        for name, cell in row.items():
            cells.setdefault(name, {})[cell] = None
    by_name = {each.name: each for each in declared}
    found = []
    for name, seen in cells.items():
        values = [cell for cell in seen if cell is not None]
        if not values:
            continue
        whole, _, entry = name.partition(".")
        each = by_name.get(name) or by_name.get(whole) or DecisionColumn(whole, _title(whole))
        title = f"{each.title}: {entry}" if entry and name not in by_name else each.title
        varies = len(seen) > 1 or any(name not in row for row in rows)
        found.append(TableColumn(name, title, _kind(values), each.unit, each.help, varies))
    order = {each.name: place for place, each in enumerate(declared)}
    return tuple(sorted(found, key=lambda column: order.get(column.name.partition(".")[0], len(order))))


def cell_words(cell: Cell) -> str:
    """Return a value as short text; repeated neighbours of a sequence appear once, with their count: "dla × 6, gpu × 9"."""
    if cell is None:
        return ""
    if isinstance(cell, tuple):
        runs = [(value, len(list(same))) for value, same in groupby(cell)]
        parts = [f"{_words(value)} × {count}" if count > 1 else _words(value) for value, count in runs]
        return _clipped(", ".join(parts)) or "none"
    return _clipped(_words(cell))


def _title(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def _kind(values: Sequence[Cell]) -> DecisionKind:
    if any(isinstance(value, tuple) for value in values):
        return "sequence"
    return "number" if any(isinstance(value, float) for value in values) else "category"


def _cell(value: Any) -> Cell:
    return tuple(map(_scalar, value)) if isinstance(value, list | tuple) else None if value is None else _scalar(value)


def _scalar(value: Any) -> float | str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return float(value)
    return value if isinstance(value, str) else "–" if value is None else canonical_json(value)


def _words(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def _clipped(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
