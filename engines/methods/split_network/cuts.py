"""Layers of a network, what passes between them, and every way to cut them between a device and a server.

What stays on the device is a closed set: with a layer also all that it reads. The edges that leave the set are the cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray
from engines.workloads.network import COMPUTE_KINDS, INPUT, Operation

MOST_CUTS = 5000


@dataclass(frozen=True)
class Tensor:
    """A result that other layers read, or the network's input.

    Attributes:
        layer: layer that produces it; `INPUT` for the network's input.
        readers: layers that read it.
        elements: number of elements.
        channels: into which they are divided; 1 where that is not known.
    """

    title: str
    layer: int
    readers: tuple[int, ...]
    elements: int
    channels: int


@dataclass(frozen=True, eq=False)
class CutGraph:
    """`n` layers in topological order.

    Attributes:
        names: each once.
        tensors: `t` of them, the network's input first.
    """

    names: tuple[str, ...]
    tensors: tuple[Tensor, ...]

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """The layers that each layer reads."""
        found: list[set[int]] = [set() for _ in self.names]
        for tensor in self.tensors[1:]:
            for reader in tensor.readers:
                found[reader].add(tensor.layer)
        return tuple(tuple(sorted(each)) for each in found)

    def closed(self, layers: Sequence[int]) -> BoolArray:
        """Return the layers with all that they need, shape `n`."""
        inside, waiting = np.zeros(len(self.names), dtype=bool), list(layers)
        while waiting:
            layer = waiting.pop()
            if not inside[layer]:
                inside[layer] = True
                waiting += self.parents[layer]
        return inside

    def last(self, inside: BoolArray) -> list[int]:
        """Return the layers of a closed set that no other layer of the set reads; they identify the set."""
        read = {parent for layer in np.flatnonzero(inside) for parent in self.parents[layer]}
        return [int(layer) for layer in np.flatnonzero(inside) if int(layer) not in read]

    def crossing(self, inside: BoolArray) -> BoolArray:
        """Return which tensors are uploaded once for each of `c` closed sets: made inside, or given, and read outside; `c x t`."""
        found = [
            (inside[:, tensor.layer] if tensor.layer != INPUT else True) & ~inside[:, tensor.readers].all(axis=1)
            for tensor in self.tensors
        ]
        return np.stack(found, axis=1)


@dataclass(frozen=True, eq=False)
class Cuts:
    """Closed sets of layers, from none to all.

    Attributes:
        inside: shape `c x n`.
        every: whether these are all that there are; else the beginnings of the network in its own order.
    """

    inside: BoolArray
    every: bool


def every_cut(graph: CutGraph, most: int = MOST_CUTS) -> Cuts:
    """Return all closed sets, by size; where there are more than `most`, only the beginnings of the network in its order."""
    count = len(graph.names)
    masks = _closed_sets(graph.parents, most)
    if masks is None:
        return Cuts(np.tri(count + 1, count, -1, dtype=bool), False)
    size = (count + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint8).reshape(-1, size)
    return Cuts(np.unpackbits(packed, axis=1, count=count, bitorder="little").astype(bool), True)


def _closed_sets(parents: Sequence[Sequence[int]], most: int) -> list[int] | None:
    """Return the bit masks, by size and then by mask; None where there are more than `most`.

    Every closed set but the empty one is a smaller closed set and one layer that reads nothing else, so that going from each to all
    that are larger by one layer finds every one.
    """
    needs = [sum(1 << parent for parent in each) for each in parents]
    readers: list[list[int]] = [[] for _ in parents]
    for layer, each in enumerate(parents):
        for parent in each:
            readers[parent].append(layer)
    found: list[int] = []
    level = {0: frozenset(layer for layer, need in enumerate(needs) if not need)}
    while level:
        found += sorted(level)
        larger: dict[int, frozenset[int]] = {}
        for mask, ready in level.items():
            for layer in ready:
                after = mask | 1 << layer
                if after not in larger:
                    new = {reader for reader in readers[layer] if not needs[reader] & ~after}
                    larger[after] = (ready - {layer}) | new
            if len(found) + len(larger) > most:
                return None
        level = larger
    return found


def layer_graph(operations: Sequence[Operation], elements: Sequence[float], starts: Sequence[int]) -> CutGraph:
    """Return the graph of layers that begin at `starts`, with the tensors between them.

    Args:
        operations: operations in topological order.
        elements: elements of the result of each operation.
        starts: first operation of each layer, ascending from 0.
    """
    layer_of = np.searchsorted(starts, np.arange(len(operations)), side="right") - 1
    sources, readers = [each.reads or each.sources or (INPUT,) for each in operations], dict[int, set[int]]()
    for number, read in enumerate(sources):
        for source in read:
            readers.setdefault(source, set()).add(int(layer_of[number]))
    channels = _channels(operations, elements, sources)
    tensors = [_input(operations, sources, tuple(sorted(readers.get(INPUT, {0}))))]
    for source in sorted(readers.keys() - {INPUT}):
        own = int(layer_of[source])
        outside = tuple(sorted(readers[source] - {own}))
        if outside:
            tensors.append(Tensor(operations[source].name, own, outside, int(elements[source]), channels[source]))
    names = [operations[start].name for start in starts]
    if len(set(names)) < len(names):
        names = [f"{number}: {name}" for number, name in enumerate(names, 1)]
    return CutGraph(tuple(names), tuple(tensors))


def _input(operations: Sequence[Operation], sources: Sequence[Sequence[int]], readers: tuple[int, ...]) -> Tensor:
    """Return the network's input, as large as the largest that any operation reads of it alone."""
    given = [each for each, read in zip(operations, sources, strict=True) if tuple(read) == (INPUT,)]
    widest = max(given or operations[:1], key=lambda each: each.input_elements)
    return Tensor("Input", INPUT, readers, widest.input_elements, max(1, widest.c))


def _channels(
    operations: Sequence[Operation], elements: Sequence[float], sources: Sequence[Sequence[int]]
) -> list[int]:
    """Return the channels of every result: those of a layer with weights, after a concatenation by size, else of the input."""
    found: list[int] = []
    for number, operation in enumerate(operations):
        source = next((each for each in sources[number] if each != INPUT), INPUT)
        if operation.kind in COMPUTE_KINDS:
            channels = operation.k
        elif source < 0:
            channels = operation.c
        elif operation.kind == "concat":
            channels = round(elements[number] * found[source] / max(1.0, elements[source]))
        else:
            channels = found[source]
        found.append(channels if channels > 0 and not elements[number] % channels else 1)
    return found
