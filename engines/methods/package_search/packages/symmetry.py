"""Packages that are the same but for turning or mirroring the mesh.

In the stated model a package is known by distances alone (hops between chiplets, hops to the nearest interface), so that every
symmetry of the mesh that maps the chiplets with an interface onto each other keeps all costs. Layouts are counted up to such
symmetries by Burnside's lemma: the mean, over the symmetries, of the layouts that each of them leaves as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from engines.contract.arrays import IntArray

Permutation = tuple[int, ...]
Letters = tuple[int, ...]

MOST_LABELLED = 300_000


def mesh_symmetries(rows: int, columns: int) -> tuple[Permutation, ...]:
    """Return the symmetries of a mesh, all different: at place i stands the chiplet that comes to lie there.

    Eight for most squares.
    """
    mesh = np.arange(rows * columns).reshape(rows, columns)
    turned = [mesh, mesh[::-1], mesh[:, ::-1], mesh[::-1, ::-1]]
    if rows == columns:
        turned += [image.T for image in turned]
    return tuple(dict.fromkeys(tuple(image.ravel().tolist()) for image in turned))


def keeping(symmetries: Iterable[Permutation], marks: Sequence[object]) -> tuple[Permutation, ...]:
    """Return the symmetries that map every chiplet to one with an equal mark; always a group."""
    return tuple(p for p in symmetries if all(marks[source] == mark for source, mark in zip(p, marks, strict=True)))


def moved(letters: Sequence[int], by: Permutation) -> Letters:
    """Return the layout after a symmetry."""
    return tuple(letters[source] for source in by)


def canonical(letters: Sequence[int], group: Sequence[Permutation]) -> Letters:
    """Return the first, in the order of numbers, of all layouts that symmetries make of this one."""
    return min(moved(letters, by) for by in group)


def count_classes(choices: Sequence[Sequence[int]], group: Sequence[Permutation]) -> int:
    """Return the layouts up to the symmetries of `group`, by Burnside's lemma.

    Args:
        choices: letters that each chiplet may have; equal along every cycle of the group's permutations.
        group: symmetries, with the identity.
    """
    return sum(prod(len(choices[cycle[0]]) for cycle in cycles(by)) for by in group) // len(group)


def cycles(by: Permutation) -> Iterator[tuple[int, ...]]:
    """Yield the cycles of a permutation."""
    seen: set[int] = set()
    for start in range(len(by)):
        if start in seen:
            continue
        cycle, at = [start], by[start]
        while at != start:
            cycle.append(at)
            at = by[at]
        seen.update(cycle)
        yield tuple(cycle)


def classes(choices: Sequence[Sequence[int]], group: Sequence[Permutation]) -> list[Letters]:
    """Return one layout of every class, its canonical one, in the order of numbers.

    Raises:
        ValueError: more than `MOST_LABELLED` labelled layouts.
    """
    labelled = prod(len(own) for own in choices)
    if labelled > MOST_LABELLED:
        raise ValueError(f"At most {MOST_LABELLED} labelled layouts can be listed. Got {labelled} instead.")
    layouts: IntArray = np.array(list(product(*choices)), dtype=np.int64)
    weights = (int(layouts.max(initial=0)) + 1) ** np.arange(len(choices) - 1, -1, -1, dtype=np.int64)
    code = layouts @ weights
    least = np.min([layouts[:, list(by)] @ weights for by in group], axis=0)
    return [tuple(row) for row in layouts[code == least].tolist()]
