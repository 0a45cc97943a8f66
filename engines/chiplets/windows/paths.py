"""Paths of linked chiplets that the segments of a model may take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.reconfig import LayerRange
from engines.contract.arrays import IntArray

MOST_CHIPLETS_FOR_ALL_PATHS = 12
_SPREAD_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 32)


@dataclass(frozen=True)
class PathSet:
    """Paths of one model in one window.

    Attributes:
        paths: chiplets in order.
        mask: chiplets of each as a bit mask.
        cut_lengths: lengths (with how many paths of them are here) of which there are more paths.
    """

    paths: tuple[tuple[int, ...], ...]
    mask: IntArray
    cut_lengths: tuple[tuple[int, int], ...]


@lru_cache(maxsize=512)
def simple_paths(
    neighbours: tuple[tuple[int, ...], ...], roots: tuple[int, ...], length: int, limit: int
) -> tuple[IntArray, bool]:
    """Return the paths of `length` linked chiplets that start at one of `roots` and visit none twice, in depth-first order.

    Returns:
        Paths (`p x length`, at most `limit`) and whether there are more. The limit is shared out among the roots, so that
        none of them is left out.
    """
    paths: list[tuple[int, ...]] = []
    truncated = False
    for number, root in enumerate(roots):
        room = len(paths) + (limit - len(paths)) // (len(roots) - number)
        stack: list[tuple[int, ...]] = [(root,)]
        while stack:
            path = stack.pop()
            if len(path) == length:
                if len(paths) >= room:
                    truncated = True
                    break
                paths.append(path)
            else:
                stack += [(*path, c) for c in reversed(neighbours[path[-1]]) if c not in path]
    return np.array(paths, dtype=np.int64).reshape(len(paths), length), truncated


@lru_cache(maxsize=64)
def path_set(neighbours: tuple[tuple[int, ...], ...], roots: tuple[int, ...], longest: int, limit: int) -> PathSet:
    """Return all paths of 1 to `longest` chiplets, at most `limit` of each length."""
    paths: list[tuple[int, ...]] = []
    cut = []
    for length in range(1, longest + 1):
        found, truncated = simple_paths(neighbours, roots, length, limit)
        if not len(found):
            break
        paths += [tuple(path) for path in found.tolist()]
        if truncated:
            cut.append((length, len(found)))
    masks = [sum(1 << chiplet for chiplet in path) for path in paths]
    return PathSet(tuple(paths), np.array(masks, dtype=np.int64), tuple(cut))


@lru_cache(maxsize=64)
def directed_paths(neighbours: tuple[tuple[int, ...], ...], roots: tuple[int, ...], longest: int) -> PathSet:
    """Return a spread of paths for packages with too many of them: from every root four walks, and their beginnings.

    A walk continues to the first free neighbour in its order of directions, along rows or along columns, which fills the
    package from one side; it ends where it is stuck. All lengths count as cut.
    """
    walks = _walks(neighbours, roots, longest)
    found = dict.fromkeys(walk[:length] for walk in walks for length in _SPREAD_LENGTHS if length <= len(walk))
    paths = sorted(found, key=len)
    masks = [sum(1 << chiplet for chiplet in path) for path in paths]
    counts = tuple(sorted(Counter(len(path) for path in paths).items()))
    return PathSet(tuple(paths), np.array(masks, dtype=np.int64), counts)


@lru_cache(maxsize=64)
def _within(neighbours: tuple[tuple[int, ...], ...], allowed: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Return the links between allowed chiplets."""
    return tuple(
        tuple(c for c in near if c in allowed) if chiplet in allowed else () for chiplet, near in enumerate(neighbours)
    )


def ground_of(
    tables: ScenarioTables, model: int, roots: tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the links and starts out of `roots` that a model may use."""
    allowed = tables.allowed[model]
    near = _within(tables.package_model.neighbours, allowed)
    return near, tuple(root for root in roots if root in allowed)


def paths_of_length(tables: ScenarioTables, model: int, roots: tuple[int, ...], length: int) -> IntArray:
    """Return paths of `length` chiplets, shape `p x length`: all up to the path limit, or a spread of them on large packages."""
    near, roots = ground_of(tables, model, roots)
    if tables.chiplets <= MOST_CHIPLETS_FOR_ALL_PATHS:
        return simple_paths(near, roots, length, tables.params.path_limit)[0]
    found = dict.fromkeys(walk[:length] for walk in _walks(near, roots, length) if len(walk) == length)
    return np.array(list(found), dtype=np.int64).reshape(len(found), length)


@lru_cache(maxsize=64)
def _walks(
    neighbours: tuple[tuple[int, ...], ...], roots: tuple[int, ...], longest: int
) -> tuple[tuple[int, ...], ...]:
    walks: list[tuple[int, ...]] = []
    for root in roots:
        for first_largest, columns_first in product((False, True), repeat=2):
            walk = [root]
            while len(walk) < longest:
                free = [c for c in neighbours[walk[-1]] if c not in walk]
                if not free:
                    break
                # Neighbours in the same row differ by 1 in number, those in the same column by more.
                walk.append(min(free, key=lambda c: _rank(c - walk[-1], first_largest, columns_first)))
            walks.append(tuple(walk))
    return tuple(walks)


def _rank(step: int, first_largest: bool, columns_first: bool) -> tuple[bool, int]:
    along_column = abs(step) > 1
    return (along_column != columns_first, -step if first_largest else step)


def paths_of_models(
    tables: ScenarioTables, ranges: Sequence[LayerRange], roots: tuple[int, ...], nodes: Sequence[int]
) -> list[PathSet]:
    """Return the paths of each model of a window: at most as many chiplets as provisioned, and as it has layers.

    All of them on packages of at most `MOST_CHIPLETS_FOR_ALL_PATHS` chiplets, a spread of them on larger ones.
    """
    found = []
    for r, most in zip(ranges, nodes, strict=True):
        near, own_roots = ground_of(tables, r.model, roots)
        longest = min(most, r.end - r.first)
        if tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS:
            found.append(directed_paths(near, own_roots, longest))
        else:
            found.append(path_set(near, own_roots, longest, tables.params.path_limit))
    return found
