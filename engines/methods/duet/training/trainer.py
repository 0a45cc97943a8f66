"""One training of one model. Imported only where torch is needed.

Every epoch draws its order from a stream of its number: a training that was stopped continues as if it had not been.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.learning.torch_learner import Stream, TorchLearner
from engines.methods.duet.execution.modules import DecomposedModules, Monolithic
from engines.methods.duet.recommender import Recommender
from engines.methods.duet.training.clicks import ClickLog
from engines.methods.duet.training.params import TrainRecommenderParams
from engines.methods.duet.training.stages import Stage

_MEASURED_TOGETHER = 4096


class Trainer(TorchLearner):
    """A model under training.

    Args:
        log: click log of the training.
        model: monolithic.
        stage: stage of the splitting.
        seed: number of the training; weights and orders follow from it, and are the same for every stage.
        params: parameters of the search.
        stream: keyed random streams (`Context.random`).
    """

    def __init__(
        self,
        log: ClickLog,
        model: Recommender,
        stage: Stage,
        seed: int,
        params: TrainRecommenderParams,
        stream: Stream,
    ) -> None:
        self._log, self._params, self._stream, self._seed = log, params, stream, seed
        parts = stage.parts(model)
        entries = [each.entries for each in log.tables]
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights", seed).integers(2**31)))
            whole: nn.Module = Monolithic(model, entries) if parts is None else DecomposedModules(model, parts, entries)
        super().__init__(whole, params.epochs)
        self.rows = log.splits()

    def new_optimizer(self, epoch: int) -> torch.optim.Adam:
        """Return an Adam optimiser of all parameters."""
        return torch.optim.Adam(self.network.parameters(), lr=self._params.learning_rate)

    def batches(self, epoch: int) -> list[IntArray]:
        """Return the training rows of an epoch, in random batches."""
        order = self._stream("order", self._seed, epoch).permutation(self.rows[0])
        size = self._params.batch_size
        return [order[at : at + size] for at in range(0, len(order), size)]

    def loss(self, batch: IntArray, epoch: int) -> Tensor:
        """Return the cross-entropy of clicks."""
        labels = torch.from_numpy(self._log.labels[batch].astype(np.float32))
        return functional.binary_cross_entropy_with_logits(self.network(*self.inputs(batch))[:, 0], labels)

    def probabilities(self, rows: IntArray) -> FloatArray:
        """Return the probabilities of a click, shape `n`."""
        self.network.eval()
        with torch.no_grad():
            parts = [
                torch.sigmoid(self.network(*self.inputs(rows[at : at + _MEASURED_TOGETHER]))[:, 0]).numpy()
                for at in range(0, len(rows), _MEASURED_TOGETHER)
            ]
        return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)

    def labels(self, rows: IntArray) -> IntArray:
        """Return the labels, shape `n`: 1 for a click, else 0."""
        return self._log.labels[rows]

    def inputs(self, rows: IntArray) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """Return the dense inputs and ids of rows, as the modules take them."""
        log = self._log
        return (
            torch.from_numpy(log.dense[rows].astype(np.float32)),
            [torch.from_numpy(ids[rows]) for ids in log.history],
            [torch.from_numpy(ids[rows]) for ids in log.candidate],
        )
