"""Networks of the front trained again with other seeds: their accuracies with the spread. Needs torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context
from engines.contract.results import Table, TableColumn
from engines.data.data_set import DataSet
from engines.learning.spread import Spread, spread_of
from engines.learning.torch_learner import packed_weights
from engines.methods.eexnas.architecture import SizedNetwork
from engines.methods.eexnas.instance import EexnasInstance
from engines.methods.eexnas.network import Learner, course_of, network_outputs


class Repeats:
    """Accuracies of all seeds.

    Args:
        instance: the problem.
        data: the windows.
        context: context of the run.
        rows: rows of a checkpoint; None at the start.

    Attributes:
        rows: one per network and seed, shape `n x 2`: accuracy on test windows in percent, without and with the exit.
        done: whether all were trained.
    """

    def __init__(self, instance: EexnasInstance, data: DataSet, context: Context, rows: FloatArray | None) -> None:
        self._instance, self._data, self._context = instance, data, context
        self.rows: FloatArray = np.empty((0, 2)) if rows is None else np.asarray(rows, dtype=np.float64)
        self.done, self._names = False, list[str]()

    def train(self, networks: Sequence[SizedNetwork]) -> Iterator[tuple[float, str]]:
        """Yield every seed of every network: share that is done, and words; ends where a stop is asked for."""
        seeds, stopped = self._instance.params.seeds, self._context.stop_requested
        self._names = [each.architecture.name for each in networks]
        total = len(networks) * seeds
        for number in range(len(self.rows), total):
            laid, seed = networks[number // seeds], number % seeds
            learner = Learner(laid, self._data, self._instance.params, self._context.random, self._context.device, seed)
            if not course_of(learner, self._instance.params).finish(stopped):
                return
            self.rows = np.concatenate([self.rows, self._accuracies(laid, packed_weights(learner.network))[None]])
            yield (
                (number + 1) / total,
                f"Seed {seed + 1} of {seeds} of network {number // seeds + 1} of {len(networks)} on the front",
            )
        self.done = True

    def tables(self) -> tuple[Table, ...]:
        """Return the mean and standard deviation of each network; nothing with one seed."""
        if not self.done:
            return ()
        values = self.rows.reshape(len(self._names), -1, 2)
        alone, exits = ([spread_of(row) for row in values[:, :, end]] for end in (0, 1))
        title = f"Accuracy (test) of networks on the front, {values.shape[1]} seeds"
        return (
            Table(
                "seeds", title,
                (
                    TableColumn("Network", tuple(self._names)),
                    *_columns("Without exit", alone), *_columns("With exit", exits),
                ),
            ),
        )  # fmt: skip

    def _accuracies(self, laid: SizedNetwork, state: bytes) -> FloatArray:
        judged = network_outputs(laid, state, self._data)
        threshold = self._instance.params.search_threshold
        alone, answered = float(judged.test.right[:, 1].mean()), judged.test.answered(threshold, judged.temperature)[0]
        return 100 * np.array([alone, answered])


def _columns(title: str, found: Sequence[Spread]) -> tuple[TableColumn, TableColumn]:
    return (
        TableColumn(f"{title}, mean", np.array([each.mean for each in found]), "%"),
        TableColumn(f"{title}, standard deviation", np.array([each.deviation for each in found]), "%"),
    )
