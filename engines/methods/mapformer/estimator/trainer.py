"""Steps of training, with what a stopped training needs to continue bit for bit. Imported only where torch is needed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import CheckpointError
from engines.methods.mapformer.estimator.classes import class_of
from engines.methods.mapformer.estimator.mixes import Samples
from engines.methods.mapformer.estimator.network import Estimator, as_tensors
from engines.methods.mapformer.estimator.sequence import Sequences
from engines.methods.mapformer.estimator.shape import EstimatorShape

_SORTED_BATCHES = 16  # batches whose sequences are dealt out by length, as short ones beside long ones are filled up
_WARM = 0.05  # share of the steps in which the learning rate rises
_CLIPPED = 1.0
_READ = 512


class Trainer:
    """A training from its start, or restored.

    Args:
        shape: shape of the estimator.
        samples: to learn from.
        edges: edges of the classes of throughput and of power.
        epochs, batch_size, learning_rate, weight_decay: as usual.
        random: streams.
    """

    def __init__(
        self,
        shape: EstimatorShape,
        samples: Samples,
        edges: tuple[FloatArray, FloatArray],
        epochs: int,
        batch_size: int,
        learning_rate: float,
        weight_decay: float,
        random: Callable[..., np.random.Generator],
    ) -> None:
        self.step, self.epochs, self.edges = 0, epochs, edges
        self._samples, self._batch, self._rate, self._random = samples, batch_size, learning_rate, random
        self._classes = [
            torch.from_numpy(class_of(values, own))
            for values, own in zip((samples.throughput_per_s, samples.power_w), edges, strict=True)
        ]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(random("weights").integers(2**31)))
            self.estimator = Estimator(shape)
        self.estimator.embedding.mean, self.estimator.embedding.spread = _scale(samples.sequences)
        self._optimizer = torch.optim.AdamW(
            self.estimator.parameters(), lr=learning_rate, weight_decay=weight_decay, betas=(0.9, 0.98)
        )
        self.steps_per_epoch = -(-len(samples) // batch_size)
        self._order: tuple[int, list[IntArray]] = (-1, [])

    @property
    def steps(self) -> int:
        """In all."""
        return self.epochs * self.steps_per_epoch

    def train_step(self) -> float:
        """Return one batch; its loss, cross-entropy of both heads together."""
        rows = self._batches(self.step // self.steps_per_epoch)[self.step % self.steps_per_epoch]
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * _share(self.step / self.steps)
        self.estimator.train()
        heads = self.estimator(as_tensors(self._samples.sequences.take(rows)))
        losses = [functional.cross_entropy(head, true[rows]) for head, true in zip(heads, self._classes, strict=True)]
        loss = losses[0] + losses[1]
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.estimator.parameters(), _CLIPPED)
        self._optimizer.step()
        self.step += 1
        return float(loss.detach())

    def weights(self) -> bytes:
        """Return the weights as a file in half precision: the last digits do not change the class."""
        return save({name: values.detach().half() for name, values in self.estimator.state_dict().items()})

    def state(self) -> bytes:
        """Return the weights and what the optimiser keeps of them."""
        kept: dict[str, Tensor] = {f"weights.{name}": each for name, each in self.estimator.state_dict().items()}
        for number, values in self._optimizer.state_dict()["state"].items():
            kept |= {f"optimizer.{number}.{name}": each for name, each in values.items()}
        return save({name: values.detach().clone().contiguous() for name, values in kept.items()})

    def restore(self, state: bytes, step: int) -> None:
        """Go on after that step."""
        found = load(state)
        self.estimator.load_state_dict({name[8:]: each for name, each in found.items() if name.startswith("weights.")})
        own = self._optimizer.state_dict()
        moments: dict[int, dict[str, Tensor]] = {}
        for name, values in found.items():
            if name.startswith("optimizer."):
                _, number, key = name.split(".")
                moments.setdefault(int(number), {})[key] = values
        self._optimizer.load_state_dict({**own, "state": moments})
        self.step = step

    def _batches(self, epoch: int) -> list[IntArray]:
        if self._order[0] != epoch:
            random, count = self._random("epoch", epoch), len(self._samples)
            order, piece = random.permutation(count), self._batch * _SORTED_BATCHES
            lengths = self._samples.sequences.count
            found = []
            for begin in range(0, count, piece):
                rows = order[begin : begin + piece]
                rows = rows[np.argsort(lengths[rows], kind="stable")]
                found += [rows[at : at + self._batch] for at in range(0, len(rows), self._batch)]
            self._order = (epoch, [found[place] for place in random.permutation(len(found))])
        return self._order[1]


def estimator_with(shape: EstimatorShape, weights: bytes) -> Estimator:
    """Return an estimator with weights of a file.

    Raises:
        CheckpointError: the file holds other weights.
    """
    estimator = Estimator(shape)
    try:
        estimator.load_state_dict({name: values.float() for name, values in load(weights).items()})
    except (RuntimeError, SafetensorError) as error:
        raise CheckpointError(f"These are no weights of this estimator: {str(error)[:300]}") from error
    estimator.eval()
    return estimator


def probabilities(estimator: Estimator, sequences: Sequences) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of the classes of throughput and of power, shapes `b x classes`."""
    estimator.eval()
    order = np.argsort(sequences.count, kind="stable")
    found: list[list[FloatArray]] = [[], []]
    with torch.inference_mode():
        for begin in range(0, len(order), _READ):
            heads = estimator(as_tensors(sequences.take(order[begin : begin + _READ])))
            for kept, head in zip(found, heads, strict=True):
                kept.append(torch.softmax(head.double(), dim=1).numpy())
    back = np.argsort(order, kind="stable")
    throughput, power = (np.concatenate(each)[back] for each in found)
    return throughput, power


def _scale(sequences: Sequences) -> tuple[Tensor, Tensor]:
    """Return the mean and spread of each feature over the tokens that count, in half precision as they are kept."""
    kept = np.arange(sequences.unit.shape[1]) < sequences.count[:, None]
    values = sequences.profile[kept].astype(np.float64)
    spread = np.maximum(values.std(axis=0), 1e-3)
    return torch.tensor(values.mean(axis=0)).half().float(), torch.tensor(spread).half().float()


def _share(done: float) -> float:
    """Return the share of the learning rate: it rises, then falls along a cosine (karatzas-2024 section 5.1 has the cosine)."""
    return min(done / _WARM + 1e-3, 0.5 * (1 + math.cos(math.pi * max(0.0, done - _WARM) / (1 - _WARM))))
