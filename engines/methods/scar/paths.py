"""Paths of linked chiplets that the segments of a model may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engines.methods.scar.reconfig import LayerRange
from engines.methods.scar.tables import ScenarioTables

IntArray = npt.NDArray[np.int64]


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
    """Paths of `length` linked chiplets that start at one of `roots` and visit none twice, in depth-first order.

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
    """All paths of 1 to `longest` chiplets, at most `limit` of each length."""
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


def paths_of_models(
    tables: ScenarioTables, ranges: Sequence[LayerRange], roots: tuple[int, ...], nodes: Sequence[int]
) -> list[PathSet]:
    """Paths of each model of a window: at most as many chiplets as provisioned, and as it has layers."""
    network, limit = tables.package_model, tables.params.path_limit
    return [
        path_set(network.neighbours, roots, min(most, r.end - r.first), limit)
        for r, most in zip(ranges, nodes, strict=True)
    ]
