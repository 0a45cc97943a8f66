"""The importance of decisions for a metric: the loss in accuracy of a fitted model after a decision is shuffled among designs.

Permutation importance (Breiman, "Random Forests", Machine Learning 45, 2001, section 10) of a random forest, on designs that it
was not fitted to. All parts of one decision are shuffled together, so that a sequence counts as one decision; its parts
(`decision_features`) are reported as well. Redundant decisions share their importance. It describes the model and proves
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.decision_columns import Cell, TableColumn
from engines.search.decision_features import features_of

TREES, REPEATS = 60, 8
HELD_OUT = 0.25
LEAST_DESIGNS = 40


@dataclass(frozen=True)
class Importance:
    """The fall of the held-out R² when a decision is shuffled, for `n` decisions and parts.

    Attributes:
        titles: titles of the decisions, the most important first; elements of a sequence have their own titles.
        fall: mean over the repeats, shape `n`.
        spread: standard deviation over the repeats, shape `n`.
        explained: R² on held-out designs: 1 is an exact prediction, 0 is no better than their mean.
        designs: number of designs.
    """

    titles: tuple[str, ...]
    fall: FloatArray
    spread: FloatArray
    explained: float
    designs: int


def importance_of(
    columns: Sequence[TableColumn], cells: Sequence[Sequence[Cell]], values: FloatArray, seed: int = 0
) -> Importance:
    """Return the importance of decisions for a metric; equal designs and seed give an equal result.

    Args:
        columns: decision columns.
        cells: for each column the values of `n` designs.
        values: finite metric of the designs, shape `n`, with `n` at least `LEAST_DESIGNS`.
        seed: seed of the forest, the split and the shuffles.
    """
    from sklearn.ensemble import RandomForestRegressor  # a second to import
    from sklearn.metrics import r2_score

    parts = [
        [(each.title, each.numbers()) for each in features_of(column, given)]
        for column, given in zip(columns, cells, strict=True)
    ]
    features = np.column_stack([values for part in parts for _, values in part])
    shuffled = _shuffled(columns, parts)
    random = np.random.default_rng(seed)
    order = random.permutation(len(values))
    held, fitted = np.split(order, [max(1, int(HELD_OUT * len(order)))])
    forest = RandomForestRegressor(TREES, min_samples_leaf=2, random_state=seed, n_jobs=1)
    forest.fit(features[fitted], values[fitted])
    kept, truth = features[held], values[held]
    explained = float(r2_score(truth, forest.predict(kept)))
    falls = np.empty((len(shuffled), REPEATS))
    for row, (_, places) in enumerate(shuffled):
        for repeat in range(REPEATS):
            changed = kept.copy()
            changed[:, places] = kept[random.permutation(len(kept))][:, places]
            falls[row, repeat] = explained - r2_score(truth, forest.predict(changed))
    ranked = np.argsort(-falls.mean(axis=1), kind="stable")
    titles = tuple(shuffled[row][0] for row in ranked.tolist())
    return Importance(titles, falls.mean(axis=1)[ranked], falls.std(axis=1)[ranked], explained, len(values))


def _shuffled(
    columns: Sequence[TableColumn], parts: Sequence[list[tuple[str, FloatArray]]]
) -> list[tuple[str, list[int]]]:
    """Return (title, indices of features to shuffle together); features that are equal in all designs are left out."""
    found: list[tuple[str, list[int]]] = []
    first = 0
    for column, part in zip(columns, parts, strict=True):
        varying = [(title, first + at) for at, (title, values) in enumerate(part) if np.ptp(values) > 0]
        first += len(part)
        if varying:
            found.append((column.title, [place for _, place in varying]))
        if len(varying) > 1:
            found += [(title, [place]) for title, place in varying if title != column.title]
    return found
