"""Accuracy of an estimator: its predictions of mappings compared with the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.integer_format import many
from engines.contract.results import Matrix, Note, Result, Table, TableColumn
from engines.methods.mapformer.estimator.classes import (
    HEADS,
    class_names,
    class_of,
    confusion,
    exact_share,
    near_share,
)
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import steady_state

_UNITS = {"throughput": "1/s", "power": "W"}


def told_and_simulated(judge: Any, board: Board, mappings: Mappings, handed: Any) -> tuple[Result, ...]:
    """Return the confusion of both heads over all mappings that were looked at, a table of those handed over, and shares in words.

    Args:
        judge: a `StoredEstimator`.
        board: board of the problem.
        mappings: number of mappings that the estimator evaluated.
        handed: numbers of those that the manager chose.
    """
    steady, told = steady_state(board, mappings), judge.told(mappings).classes
    values = dict(zip(HEADS, (steady.mean_per_s, steady.power_w), strict=True))
    edges = dict(zip(HEADS, (judge.throughput_edges, judge.power_edges), strict=True))
    names = {head: class_names(edges[head], _UNITS[head]) for head in HEADS}
    true = {head: class_of(values[head], edges[head]) for head in HEADS}
    results: list[Result] = []
    words = []
    for head, own in zip(HEADS, told, strict=True):
        title = f"Simulated class of {head} (rows) and predicted class (columns)"
        counts = confusion(own, true[head], len(names[head]))
        results.append(Matrix(f"confusion-{head}", title, names[head], names[head], counts, "", "Mappings"))
        exact, near = 100 * exact_share(own, true[head]), 100 * near_share(own, true[head])
        words.append(f"{head}: {exact:.0f} % exactly, {near:.0f} % within one class")
    text = (
        f"For {many(len(mappings), 'mapping')} that the search requested, the estimator predicted the class of "
    ) + "; of ".join(words)
    results.append(
        Note("told", "Predicted and simulated", text + ". The simulator was asked of all of them for this count alone.")
    )
    return (_handed(told, true, names, values, np.asarray(handed)), *results)


def _handed(told: Any, true: Any, names: Any, values: Any, rows: Any) -> Table:
    columns = [TableColumn("Predicted number", np.arange(1.0, len(rows) + 1))]
    for place, head in enumerate(HEADS):
        title = head.capitalize()
        columns += [
            TableColumn(f"{title}, predicted class", tuple(names[head][each] for each in told[place][rows])),
            TableColumn(f"{title}, simulated class", tuple(names[head][each] for each in true[head][rows])),
            TableColumn(f"{title}, simulated", values[head][rows], _UNITS[head]),
        ]
    return Table("handed-over", "Choice of the manager, predicted and simulated", tuple(columns))
