"""Which decisions matter for a figure: how much worse a model of the designs tells it once a decision is shuffled among them.

Permutation importance (Breiman, "Random Forests", Machine Learning 45, 2001, section 10) of a random forest, on designs that it
was not fitted to. All parts of one decision are shuffled together, so that a sequence counts as one; its parts
(`decision_features`) are told as well. A decision that says the same as another one shares its importance with it: a
figure of the model, no proof.
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
    """How much the held-out R² falls when a decision is shuffled.

    Attributes:
        titles: titles of the decisions, most important first; places of a sequence have names of their own.
        fall: mean over the repeats, shape `n`.
        spread: standard deviation over the repeats, shape `n`.
        explained: R² on designs that the model was not fitted to; 1 tells them exactly, 0 no better than their mean.
        designs: how many were looked at.
    """

    titles: tuple[str, ...]
    fall: FloatArray
    spread: FloatArray
    explained: float
    designs: int


def importance_of(
    columns: Sequence[TableColumn], cells: Sequence[Sequence[Cell]], values: FloatArray, seed: int = 0
) -> Importance:
    """Return the importance of decisions for a figure; the same for the same designs.

    Args:
        columns: of decisions.
        cells: per column the value of each of `n` designs.
        values: the figure, finite, shape `n`, at least `LEAST_DESIGNS` of them.
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
    """Return what is shuffled together: title, and places among all features. What no design differs in is left out."""
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
