"""Rows that use one weight turn after turn become one row, as `rows.recurrent_rows` describes a recurrent operator.

Exporters write a recurrent layer as an operator, as a loop, or unrolled; hardware holds its weights once and computes the same.
Rows of a loop that are alike become one. So do the products of a recurrence that is unrolled: those of a state that waits for its
own result are repeats, and those that wait for no other are rows of one product. What a recurrent operator does besides (its sums,
activations, slices of the sequence) is part of its products, as it is with the operator.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.workloads.importing.rows import Row, listed_reads
from engines.workloads.importing.weights import Held
from engines.workloads.network import COMPUTE_KINDS, INPUT

_MOVING = ("gather", "reshape", "concat")
_ELEMENTWISE = ("eltwise", "activation", *_MOVING)
# Rows times groups of equal products that are looked at; beyond, each row stays as it is.
_MAX_CELLS = 5_000_000
Depths = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Rows:
    """Rows of a network in topological order, `n` of them.

    Attributes:
        rows: each as in the document.
        held: the weights of each.
        loops: name of the loop that each was unrolled from; "" for none.
    """

    rows: Sequence[Row]
    held: Sequence[Held]
    loops: Sequence[str]

    def reads(self, index: int) -> Sequence[int]:
        """Return the numbers of the rows that a row reads; the network's input is none of them."""
        return [read for read in self.sources(index) if read != INPUT]

    def sources(self, index: int) -> Sequence[int]:
        """Return the sources that a row reads, with `INPUT` for the network's input."""
        reads: Sequence[int] = self.rows[index].get("reads", (index - 1,))
        return reads or (INPUT,)

    def signature(self, index: int) -> Hashable:
        """Return the key by which equal rows are one: kind, sizes and weights."""
        sizes = {name: value for name, value in self.rows[index].items() if name not in ("name", "reads")}
        return repr(sizes), self.held[index]


def with_recurrences(rows: Rows) -> Rows:
    """Return the same network with a row for each product of a recurrence or loop."""
    groups = _equal_products(rows)
    if not groups:
        return rows
    blocks = _loops(rows, groups)
    blocks += _recurrences(rows, [group for group in groups if not any(rows.loops[index] for index in group)])
    return _Collapse(rows, blocks).result() if blocks else rows


def _equal_products(rows: Rows) -> list[list[int]]:
    """Return the numbers of products that use the same weights with the same sizes, two at least in each group."""
    users, alike = defaultdict(list), defaultdict(list)
    for index, weights in enumerate(rows.held):
        if weights and rows.rows[index]["kind"] in COMPUTE_KINDS:
            users[weights].append(index)
    for several in users.values():
        for index in several if len(several) > 1 else ():
            alike[rows.signature(index)].append(index)
    return [group for group in alike.values() if len(group) > 1]


def _loops(rows: Rows, groups: Iterable[Sequence[int]]) -> list[set[int]]:
    """Return the rows of each loop that uses a weight in several turns."""
    members: dict[str, set[int]] = defaultdict(set)
    for index, loop in enumerate(rows.loops):
        members[loop].add(index)
    return [members[name] for name in sorted({rows.loops[group[0]] for group in groups} - {""})]


def _recurrences(rows: Rows, groups: Sequence[Sequence[int]]) -> list[set[int]]:
    """Return the rows of each unrolled recurrence of products, with the products that it reads and that read it in each turn."""
    count = len(rows.rows)
    products = [group for group in groups if rows.rows[group[0]]["kind"] == "gemm"]
    if not products or count * len(products) > _MAX_CELLS:
        return []
    before, after = _depths(rows, products)
    waiting = {number for number, group in enumerate(products) if before[group[-1], number] > 1}
    blocks: list[set[int]] = []
    for number in waiting:
        block = {*np.flatnonzero((before[:, number] > 0) & (after[:, number] > 0)).tolist()}
        for other in [each for each in blocks if each & block]:
            block |= other
            blocks.remove(other)
        blocks.append(block)
    taken: set[int] = set()
    recurrences = []
    for block in blocks:
        own = [number for number in waiting if products[number][0] in block]
        turns = max(int(before[:, number].max()) for number in own)
        beside: set[int] = set()
        for number, group in enumerate(products):
            # What the last turn reads leads to no state any more, and what reads the first may come from none.
            most = len(group) - max(1, len(group) // turns)
            if number not in waiting and not taken & {*group}:
                in_turn = any(np.count_nonzero(each[group, state]) >= most for each in (before, after) for state in own)
                beside |= {*group} if in_turn else set()
        wider, narrow = _between(rows, block | beside), _between(rows, block)
        chosen = wider if _is_recurrent(rows, wider) else narrow
        if _is_recurrent(rows, chosen) and not chosen & taken:
            taken |= chosen
            recurrences.append(chosen)
    return recurrences


def _depths(rows: Rows, groups: Sequence[Sequence[int]]) -> tuple[Depths, Depths]:
    """Return most members of each group on a way to a row, and on a way from it, the row included; shape `n x groups` each."""
    count = len(rows.rows)
    before, after = np.zeros((2, count, len(groups)), np.int32)
    member = {index: number for number, group in enumerate(groups) for index in group}
    for index in range(count):
        if reads := [*rows.reads(index)]:
            before[index] = before[reads].max(axis=0)
        if index in member:
            before[index, member[index]] += 1
    for index in reversed(range(count)):
        if index in member:
            after[index, member[index]] += 1
        for read in rows.reads(index):
            np.maximum(after[read], after[index], out=after[read])
    return before, after


def _between(rows: Rows, block: set[int]) -> set[int]:
    """Return the block with what lies on a way from one of its rows to another."""
    later: set[int] = set()
    for index in range(min(block), max(block) + 1):
        if any(read in block or read in later for read in rows.reads(index)):
            later.add(index)
    earlier: set[int] = set()
    for index in range(max(block), min(block) - 1, -1):
        if index in block or index in earlier:
            earlier.update(rows.reads(index))
    return block | (later & earlier)


def _is_recurrent(rows: Rows, block: Collection[int]) -> bool:
    """Return whether it holds nothing but products with weights and what works element by element."""
    kinds = {
        rows.rows[index]["kind"] for index in block if not (rows.rows[index]["kind"] == "gemm" and rows.held[index])
    }
    return kinds <= {*_ELEMENTWISE}


class _Collapse:
    """Blocks of rows with one row for those that are alike.

    Args:
        rows: rows of the network.
        blocks: numbers of the rows of each block; no row outside lies on a way from one row of a block to another.
    """

    def __init__(self, rows: Rows, blocks: Sequence[set[int]]) -> None:
        self._rows = rows
        count = len(rows.rows)
        self._units = [*range(count)]  # first row of the block that a row is in, or its own number
        self._kept: list[int | None] = [
            *range(count)
        ]  # what stands for a row; None for one that is part of what it reads
        self._made: dict[int, tuple[Row, Held]] = {}
        self._readers: list[list[int]] = [[] for _ in range(count)]
        for index in range(count):
            for read in rows.reads(index):
                self._readers[read].append(index)
        self._taken = {index for block in blocks for index in block}  # rows of a block that no other one may take
        for block in blocks:
            self._collapse(block)

    def result(self) -> Rows:
        """Return the rows in topological order; as they were where blocks wait for each other."""
        order = self._order()
        if order is None:
            return self._rows
        stands: list[tuple[int, ...]] = []  # rows whose results are that of each row
        reads: dict[int, set[int]] = defaultdict(set)
        for index, kept in enumerate(self._kept):
            sources = {
                each for read in self._rows.sources(index) for each in ((INPUT,) if read == INPUT else stands[read])
            }
            stands.append(tuple(sources) if kept is None else (kept,))
            if kept is not None:
                reads[kept] |= sources
        places = {index: place for place, index in enumerate(order)} | {INPUT: INPUT}
        rows, held = [], []
        for place, index in enumerate(order):
            row, weights = self._made.get(index, (self._rows.rows[index], self._rows.held[index]))
            sources = {places[each] for each in reads[index] if places[each] < place}
            own = {name: value for name, value in row.items() if name != "reads"}
            rows.append(own if place and sources == {place - 1} else {**own, "reads": listed_reads(sources)})
            held.append(weights)
        return Rows(rows, held, [self._rows.loops[index] for index in order])

    def _order(self) -> list[int] | None:
        """Return the numbers of the rows that are kept, blocks in one piece; None where there is no such order."""
        inside: dict[int, list[int]] = defaultdict(list)
        waits: dict[int, set[int]] = defaultdict(set)
        for index, unit in enumerate(self._units):
            if self._kept[index] == index:
                inside[unit].append(index)
            waits[unit] |= {self._units[read] for read in self._rows.reads(index)} - {unit}
        then: dict[int, list[int]] = defaultdict(list)
        for unit, others in waits.items():
            for other in others:
                then[other].append(unit)
        left = {unit: len(others) for unit, others in waits.items()}
        ready = [unit for unit, count in left.items() if not count]
        heapq.heapify(ready)
        order: list[int] = []
        while ready:
            unit = heapq.heappop(ready)
            order += inside[unit]
            del left[unit]
            for later in then[unit]:
                left[later] -= 1
                if not left[later]:
                    heapq.heappush(ready, later)
        return None if left else order

    def _collapse(self, block: set[int]) -> None:
        recurrent = _is_recurrent(self._rows, block)
        if recurrent:
            block = self._with_moves(block)
            self._taken |= {index for index in block if not self._moves(index)}
        members = sorted(block)
        alike: dict[Hashable, list[int]] = defaultdict(list)
        for index in members:
            priced = self._rows.rows[index]["kind"] != "unpriced"
            alike[self._rows.signature(index) if priced else index].append(index)
        if len(alike) * len(members) > _MAX_CELLS:
            return
        for index in members:
            self._units[index] = members[0]
        # Products first: what adds a bias may stand before the product of another turn that takes it.
        for group in sorted(alike.values(), key=lambda each: self._rows.rows[each[0]]["kind"] in _ELEMENTWISE):
            row, held = self._rows.rows[group[0]], self._rows.held[group[0]]
            part = recurrent and row["kind"] in _ELEMENTWISE and (not held or self._takes_bias(group, block))
            # The last turn has every row, each behind those that it reads; the first one may begin with less.
            for index in group:
                self._kept[index] = None if part else group[-1]
            if not part:
                self._made[group[-1]] = _repeated(row, len(group), self._depth(group, block)), held

    def _with_moves(self, block: set[int]) -> set[int]:
        """Return the block with the slices of the sequence that it alone reads, the end of its last turn and its joined results."""
        step, first = set(block), min(block)
        alike = {self._rows.signature(index) for index in block if self._rows.rows[index]["kind"] in _ELEMENTWISE}
        # Only neighbours are looked at, so that many blocks do not each go through all rows: what is read from the last on, ...
        reads = [-read for index in block for read in self._rows.reads(index)]
        heapq.heapify(reads)
        while reads:
            index = -heapq.heappop(reads)
            if self._may_take(index, step) and self._moves(index) and step.issuperset(self._readers[index]):
                step.add(index)
                for read in self._rows.reads(index):
                    heapq.heappush(reads, -read)
        # ... then what reads them, from the first on.
        readers = [reader for index in step for reader in self._readers[index] if reader > first]
        heapq.heapify(readers)
        while readers:
            index = heapq.heappop(readers)
            if self._may_take(index, step) and self._ends(index, alike) and step.issuperset(self._rows.reads(index)):
                step.add(index)
                for reader in self._readers[index]:
                    heapq.heappush(readers, reader)
        return step

    def _may_take(self, index: int, block: Collection[int]) -> bool:
        return index not in block and index not in self._taken

    def _ends(self, index: int, alike: Collection[Hashable]) -> bool:
        """Return whether a row joins results, or is like one of the block."""
        joins = self._moves(index) and len(self._rows.reads(index)) > 1
        return joins or self._rows.signature(index) in alike

    def _moves(self, index: int) -> bool:
        return self._rows.rows[index]["kind"] in _MOVING and not self._rows.held[index]

    def _takes_bias(self, group: Sequence[int], block: Collection[int]) -> bool:
        """Return whether a product of the block takes what these rows add for its bias, one weight per column."""
        elements = self._rows.rows[group[0]]["weight_elements"]
        waiting, seen = [group[-1]], set[int]()
        products = set()
        while waiting:
            for read in self._rows.reads(waiting.pop()):
                if read not in block or read in seen:
                    continue
                seen.add(read)
                kept = self._kept[read]
                if kept is None:
                    waiting.append(read)
                elif self._rows.rows[kept]["kind"] == "gemm":
                    products.add(kept)
        for product in sorted(products, reverse=True):
            row, held = self._made[product]
            # What is another weight in each turn is the bias of none.
            every = sum(self._kept[index] == product for index in block) == len(group)
            if every and row["k"] == elements and row["weight_elements"] == row["c"] * row["k"]:
                added = {**row, "weight_elements": row["weight_elements"] + elements}
                self._made[product] = added, held + self._rows.held[group[0]]
                return True
        return False

    def _depth(self, group: Sequence[int], block: Collection[int]) -> int:
        """Return most rows of the group that wait for each other."""
        own, depths = {*group}, dict[int, int]()
        for index in sorted(block):
            most = max((depths.get(read, 0) for read in self._rows.reads(index)), default=0)
            depths[index] = most + (index in own)
        return max(depths[index] for index in group)


def _repeated(row: Row, count: int, depth: int) -> Row:
    """Return a row for `count` that are alike, of which `depth` wait for each other."""
    if count == 1:
        return row
    if row["kind"] not in COMPUTE_KINDS:
        return {
            name: value * count if name in ("input_elements", "output_elements") else value
            for name, value in row.items()
        }
    at_once = count // depth if row["kind"] == "gemm" and count % depth == 0 else 1
    repeats = row.get("repeats", 1) * count // at_once
    more = {"y": row["y"] * at_once} if at_once > 1 else {}
    return {**row, **more, **({"repeats": repeats} if repeats > 1 else {})}
