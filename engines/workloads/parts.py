"""Parts of networks as networks of their own: some of the operations, and branches that begin at one of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.workloads.loader import load_network
from engines.workloads.network import INPUT, Operation

Operations = tuple[Operation, ...]
Window = tuple[int, int, int]
_NONE: Mapping[str, Window] = {}


def kept_operations(operations: Sequence[Operation], numbers: Collection[int]) -> Operations:
    """Return the operations of those numbers, numbered anew.

    Args:
        operations: operations in topological order.
        numbers: of those that stay. What one of them reads and does not stay is an input of the part.
    """
    places = {number: place for place, number in enumerate(sorted(numbers))}
    found = []
    for number, place in places.items():
        read = operations[number].reads
        # What reads "the one before" is left so where that is still the one before.
        before = (number - 1,) if number and read is None and number - 1 != _before(places, place) else read
        reads = (
            None
            if before is None
            else tuple(places.get(each, INPUT) for each in before if each in places or each == INPUT)
        )
        found.append(replace(operations[number], index=place, reads=reads))
    return tuple(found)


def drawn_operations(rows: Sequence[Mapping[str, Any]], windows: Mapping[str, Window] = _NONE) -> Operations:
    """Return the operations of a drawing (`engines.workloads.families.network_builder`), which is no document of the catalogue.

    Args:
        rows: rows of the drawing.
        windows: name of a pooling -> height, width and step of the maximum that it takes; documents do not say them.
    """
    words = dict.fromkeys(("title", "short_title", "source"), "Drawn")
    document = {"schema": "network/1", "slug": "drawn", "summary": "", **words, "operations": rows}
    found = load_network(document).operations
    return tuple(_with_window(each, windows[each.name]) if each.name in windows else each for each in found)


def with_branch(operations: Sequence[Operation], at: int, branch: Sequence[Operation]) -> Operations:
    """Return the operations, and after them a branch whose first one reads the result of number `at`.

    A runtime that executes nodes in their order computes the branch last; how long both take together is the same.
    """
    first = len(operations)
    found = list(operations)
    for place, operation in enumerate(branch):
        # What the branch has as its input is that result.
        reads = (
            (at,)
            if place == 0
            else operation.reads and tuple(at if each == INPUT else first + each for each in operation.reads)
        )
        found.append(replace(operation, index=first + place, reads=reads))
    return tuple(found)


def _with_window(operation: Operation, window: Window) -> Operation:
    height, width, step = window
    return replace(operation, r=height, s=width, stride=step)


def _before(places: dict[int, int], place: int) -> int:
    """Return the number of the operation that stands before that place; -1 at the beginning."""
    return next((number for number, each in places.items() if each == place - 1), -1)
