"""Neighbours of a decision: decisions that differ in one choice, with values from other designs of the run."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engines.contract.decision_columns import Cell, DecisionColumn, cell_words, decided_cells, decision_columns
from engines.contract.designs import Decision, canonical_json

Path = tuple[str | int, ...]
MOST_WORDS = 3


def one_changed(decision: Decision, path: Path, value: Any) -> dict[str, Any]:
    """Return a copy of the decision with another value at one place."""
    changed: Any = copy.deepcopy(dict(decision))
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return dict(changed)


def borrowed(decision: Decision, others: Iterable[Decision]) -> Iterator[dict[str, Any]]:
    """Yield the decisions with one entry of `decision` as some other design has it; what many of them have comes first, each once.

    Entries at any depth count. Where two lists differ in length, or two mappings in their keys, the whole of them is one entry.
    """
    counts: Counter[str] = Counter()
    found: dict[str, tuple[Path, Any]] = {}
    for other in others:
        for path, value in _differences(decision, other):
            key = canonical_json([list(path), value])
            counts[key] += 1
            found.setdefault(key, (path, value))
    for key, _ in counts.most_common():
        path, value = found[key]
        yield one_changed(decision, path, value)


def distinct(decision: Decision, changed: Iterable[Decision]) -> Iterator[Decision]:
    """Yield decisions that differ from `decision` and from each other."""
    seen = {canonical_json(decision)}
    for each in changed:
        key = canonical_json(each)
        if key not in seen:
            seen.add(key)
            yield each


def _differences(one: Any, other: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the places in which two values differ, and what the other has there."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        for key in one:
            yield from _differences(one[key], other[key], (*path, key))
    elif _is_list(one) and _is_list(other) and len(one) == len(other):
        for at, (mine, its) in enumerate(zip(one, other, strict=True)):
            yield from _differences(mine, its, (*path, at))
    elif one != other and path:
        yield path, other


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


# -- in words ---------------------------------------------------------------------------------------------------------


def change_words(declared: Sequence[DecisionColumn], before: Decision, after: Decision) -> str:
    """Return the change from one decision to another: "Clock: gpu 1377 → 1198 MHz"."""
    columns = {column.name: column for column in decision_columns(declared, [before, after])}
    was, now = decided_cells(declared, before), decided_cells(declared, after)
    # What follows from the change - how many parts there are - is left out where the change itself is told.
    changed = [name for name in columns if was.get(name) != now.get(name)]
    sequences = [name for name in changed if isinstance(was.get(name), tuple)]
    words = [
        _told(columns[name].title, was.get(name), now.get(name), columns[name].unit) for name in sequences or changed
    ]
    return "; ".join(words[:MOST_WORDS]) or _plain_words(before, after)


def _told(title: str, was: Cell, now: Cell, unit: str) -> str:
    if isinstance(was, tuple) and isinstance(now, tuple) and len(was) == len(now):
        places = [at for at, (one, other) in enumerate(zip(was, now, strict=True)) if one != other]
        if len(places) <= MOST_WORDS:
            return f"{title}: " + ", ".join(_entry(at, cell_words(was[at]), cell_words(now[at])) for at in places)
    ending = f" {unit}" if unit else ""
    return f"{title}: {cell_words(was) or 'none'} → {cell_words(now) or 'none'}{ending}"


def _entry(at: int, was: str, now: str) -> str:
    """Return an entry of a sequence: by its own name, as in "2 B: C3", or by its number."""
    name, named, rest = was.partition(": ")
    if named and now.startswith(f"{name}: "):
        other = now.removeprefix(f"{name}: ")
        return f"{name}: {rest} {'becomes' if '→' in rest + other else '→'} {other}"
    return f"no. {at + 1} {was} → {now}"


def _plain_words(before: Decision, after: Decision) -> str:
    """Return the places themselves, of a change that no declared column shows."""
    found = [
        f"{'.'.join(map(str, path))} → {value if isinstance(value, str) else canonical_json(value)}"
        for path, value in _differences(before, after)
    ]
    return "; ".join(found[:MOST_WORDS])
