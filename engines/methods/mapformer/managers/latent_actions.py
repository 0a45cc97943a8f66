"""Latent actions: a tree that parts what was looked at into good and bad regions (LA-MCTS, Wang et al., NeurIPS 2020).

Each node divides its samples in two by k-means over place and value; a support vector machine draws the border, by which places
that were not looked at have a side too. Leaves are chosen by upper confidence bounds: mean value, and more where little was
looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.results import Table, TableColumn

LEAF = 20
EXPLORATION = 1.0
_DEEPEST = 5


@dataclass(eq=False)
class Region:
    """A node.

    Attributes:
        rows: samples that lie in it.
        mean: mean of their values.
        visits: samples, and candidates that were since drawn in it.
        border: tells the good side (1) from the bad one (0); None of a leaf.
        children: the good side, then the bad one.
    """

    rows: IntArray
    mean: float
    visits: int
    border: Any = None
    children: tuple[Region, ...] = ()


@dataclass(frozen=True, eq=False)
class Path:
    """The way to a leaf: borders, with the side to be on."""

    leaf: Region
    borders: tuple[tuple[Any, int], ...]

    def holds(self, places: FloatArray) -> BoolArray:
        """Return a mask of the positions inside the leaf's region."""
        inside = np.ones(len(places), dtype=bool)
        for border, side in self.borders:
            if inside.any():
                inside[inside] = border.predict(places[inside]) == side
        return inside


def divided(places: FloatArray, values: FloatArray, seed: int) -> Region:
    """Return the tree of all samples.

    Args:
        places: positions of samples, shape `b x d`.
        values: the higher the better, shape `b`.
        seed: seed of k-means.
    """
    return _region(np.arange(len(values)), places, values, seed, _DEEPEST)


def best_leaf(root: Region, exploration: float = EXPLORATION) -> Path:
    """Return the leaf by upper confidence bounds; its visits are counted.

    mean + 2 Cp sqrt(2 sqrt(visits of the parent) / visits), as the published code of LA-MCTS has it.
    """
    node, borders = root, list[tuple[Any, int]]()
    root.visits += 1
    while node.children:
        scores = [
            child.mean + 2 * exploration * np.sqrt(2 * np.sqrt(node.visits) / child.visits) for child in node.children
        ]
        place = int(np.argmax(scores))
        borders.append((node.border, 1 - place))
        node = node.children[place]
        node.visits += 1
    return Path(node, tuple(borders))


def regions_table(root: Region, values: FloatArray) -> Table:
    """Return the leaves, best first: which sides of which borders they are on, and what was looked at there."""
    leaves = sorted(_leaves(root, ()), key=lambda found: -found[1].mean)
    return Table(
        name="regions",
        title="Regions of the space by predicted class",
        table_columns=(
            TableColumn("Sides", tuple(", ".join(sides) or "all" for sides, _ in leaves)),
            TableColumn("Mappings evaluated", np.array([float(len(leaf.rows)) for _, leaf in leaves])),
            TableColumn("Mean value", np.array([leaf.mean for _, leaf in leaves])),
            TableColumn("Best value", np.array([float(values[leaf.rows].max()) for _, leaf in leaves])),
        ),
    )


def _leaves(region: Region, sides: tuple[str, ...]) -> list[tuple[tuple[str, ...], Region]]:
    if not region.children:
        return [(sides, region)]
    good, bad = region.children
    return _leaves(good, (*sides, "good")) + _leaves(bad, (*sides, "bad"))


def _region(rows: IntArray, places: FloatArray, values: FloatArray, seed: int, deepest: int) -> Region:
    found = Region(rows, float(values[rows].mean()), len(rows))
    if len(rows) <= LEAF or not deepest or np.ptp(values[rows]) == 0:
        return found
    good = _good_side(places[rows], values[rows], seed)
    if good.all() or not good.any():
        return found
    from sklearn.svm import SVC  # takes its time to load

    border = SVC(kernel="rbf", gamma="auto").fit(places[rows], good.astype(np.int64))
    side = border.predict(places[rows])
    if not 0 < side.sum() < len(rows):
        return found
    found.border = border
    found.children = tuple(_region(rows[side == number], places, values, seed, deepest - 1) for number in (1, 0))
    return found


def _good_side(places: FloatArray, values: FloatArray, seed: int) -> BoolArray:
    """Return a mask of the samples in the cluster with the higher mean value."""
    from sklearn.cluster import KMeans  # takes its time to load

    both = np.column_stack([places, values])
    spread = both.std(axis=0)
    labels = KMeans(2, n_init=1, random_state=seed).fit_predict(
        (both - both.mean(axis=0)) / np.where(spread, spread, 1)
    )
    if labels.min() == labels.max():
        return np.ones(len(values), dtype=bool)
    return np.asarray(labels == int(values[labels == 1].mean() > values[labels == 0].mean()))
