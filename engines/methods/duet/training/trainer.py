"""One training of one model. Imported only where torch is needed.

Every epoch draws its order from a stream of its number: a training that was stopped goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.duet.execution.modules import Decomposed, Monolithic
from engines.methods.duet.recommender import Recommender
from engines.methods.duet.training.clicks import ClickLog
from engines.methods.duet.training.params import TrainRecommenderParams
from engines.methods.duet.training.stages import Stage

_MEASURED_TOGETHER = 4096
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")


class Trainer:
    """A model under training.

    Args:
        log: what it learns.
        model: monolithic.
        stage: how far it is split.
        seed: number of the training; weights and orders follow from it, and are the same for every stage.
        params: how.
        stream: keyed random streams (`Context.random`).
    """

    def __init__(
        self,
        log: ClickLog,
        model: Recommender,
        stage: Stage,
        seed: int,
        params: TrainRecommenderParams,
        stream: Callable[..., np.random.Generator],
    ) -> None:
        self._log, self._params, self._stream, self._seed = log, params, stream, seed
        parts = stage.parts(model)
        entries = [each.entries for each in log.tables]
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights", seed).integers(2**31)))
            whole: nn.Module = Monolithic(model, entries) if parts is None else Decomposed(model, parts, entries)
        self.network = whole
        self.epoch = 0
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=params.learning_rate)
        self.rows = log.splits()

    def train_epoch(self) -> float:
        """One pass over the rows to learn from; the mean loss."""
        self.network.train()
        order = self._stream("order", self._seed, self.epoch).permutation(self.rows[0])
        size = self._params.batch_size
        losses = [self._step(order[at : at + size]) for at in range(0, len(order), size)]
        self.epoch += 1
        return float(np.mean(losses))

    def probabilities(self, rows: IntArray) -> FloatArray:
        """Of a click, shape `n`."""
        self.network.eval()
        with torch.no_grad():
            parts = [
                torch.sigmoid(self.network(*self.inputs(rows[at : at + _MEASURED_TOGETHER]))[:, 0]).numpy()
                for at in range(0, len(rows), _MEASURED_TOGETHER)
            ]
        return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)

    def labels(self, rows: IntArray) -> IntArray:
        """What happened, shape `n`."""
        return self._log.labels[rows]

    def inputs(self, rows: IntArray) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """Dense inputs and ids of rows, as the modules take them."""
        log = self._log
        return (
            torch.from_numpy(log.dense[rows].astype(np.float32)),
            [torch.from_numpy(ids[rows]) for ids in log.history],
            [torch.from_numpy(ids[rows]) for ids in log.candidate],
        )

    def state(self) -> bytes:
        """Weights and moments as safetensors; with the number of the epoch all that it takes to go on."""
        held = {f"weights.{name}": value for name, value in self.network.state_dict().items()}
        for name, parameter in self.network.named_parameters():
            moments = self._optimizer.state.get(parameter, {})
            held |= {f"{moment}.{name}": moments[moment] for moment in _MOMENTS if moment in moments}
        return bytes(save({name: value.detach().contiguous() for name, value in held.items()}))

    def restore(self, state: bytes, epoch: int) -> None:
        """Go on from a state."""
        held = load(state)
        weights = {name.removeprefix("weights."): value for name, value in held.items() if name.startswith("weights.")}
        self.network.load_state_dict(weights)
        self.epoch = epoch
        for name, parameter in self.network.named_parameters():
            moments = {moment: held[f"{moment}.{name}"] for moment in _MOMENTS if f"{moment}.{name}" in held}
            if moments:
                self._optimizer.state[parameter] = moments

    def _step(self, rows: IntArray) -> float:
        labels = torch.from_numpy(self._log.labels[rows].astype(np.float32))
        self._optimizer.zero_grad(set_to_none=True)
        loss = functional.binary_cross_entropy_with_logits(self.network(*self.inputs(rows))[:, 0], labels)
        loss.backward()
        self._optimizer.step()
        return float(loss.detach())
