"""Training of the supernet on clean and noisy tensors while the search learns. Imported only where torch is needed.

Clean steps first, each of one network drawn evenly. Then in every epoch: bounds B are measured again (successive refinement),
networks are drawn by the present probabilities and trained on eq. A.2, and a few times sampled networks are rewarded (eq. A.6) and
the probabilities follow. Everything random comes from streams keyed by the number of the step, so that a training that was stopped
goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import FloatArray
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.torch_learner import batches_of, packed_state, restore_moments, restore_weights, set_rate
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.mechanism import noise, scale_of
from engines.methods.privynas.network import PrivacySupernet, protected
from engines.methods.privynas.policy import Policy
from engines.methods.privynas.reward import reward

Stream = Callable[..., np.random.Generator]
_NORM_IMAGES, _REWARD_IMAGES = 256, 128


class Trainer:
    """A supernet and probabilities under training.

    Args:
        instance: what is searched and how.
        data: what is learnt.
        stream: keyed random streams (`Context.random`).
        device: torch's name of the device.

    Attributes:
        step, steps: that were made, and of the whole training.
        bounds: B of each operation of each block, shape `blocks x most operations`; NaN where there is none yet.
        baseline: moving mean of rewards; NaN before the first.
    """

    def __init__(self, instance: PrivynasInstance, data: DataSet, stream: Stream, device: str = "cpu") -> None:
        self.instance, self.data, self.device, self._stream = instance, data, device, stream
        params, space = instance.params, instance.space
        self.images = Images(data, space.side, device)
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights").integers(2**31)))
            self.supernet = PrivacySupernet(space).to(device)
        counts = [len(block.operations) for block in space.blocks]
        self.policy = Policy(counts, instance.positions, instance.epsilons)
        self._weights = torch.optim.Adam(self.supernet.parameters(), lr=params.learning_rate)
        learnt = self.policy.parameters() if self._aware else self.policy.alpha.parameters()
        self._probabilities = torch.optim.Adam(learnt, lr=params.policy_rate)
        self.steps_per_epoch = len(self._batches(0))
        self.warm_up = params.warm_up_epochs * self.steps_per_epoch
        self.step, self.steps = 0, self.warm_up + params.epochs * self.steps_per_epoch
        self.bounds = np.full((len(counts), max(counts)), np.nan)
        self.baseline = float("nan")

    @property
    def epoch(self) -> float:
        """Epochs that were made."""
        return self.step / self.steps_per_epoch

    @property
    def _aware(self) -> bool:
        return self.instance.params.search == "privacy-aware"

    def advance(self) -> tuple[float, list[float]]:
        """One step; its loss, and the rewards of networks that were sampled after it."""
        params, searching = self.instance.params, self.step >= self.warm_up
        epoch, place = divmod(self.step, self.steps_per_epoch)
        if searching and place == 0 and (epoch - params.warm_up_epochs) % params.refresh_epochs == 0:
            self.bounds = self._measured_bounds()
        loss = self._train(self._batches(epoch)[place], searching)
        self.step += 1
        before, after = (at * params.updates // self.steps_per_epoch for at in (place, place + 1))
        return loss, self._update() if searching and after > before else []

    def bound(self, choice: Choice) -> float:
        """The present B where a network is cut."""
        last = choice.position - 1
        return float(self.bounds[last, choice.operations[last]])

    def state(self) -> dict[str, Any]:
        """Weights and probabilities as safetensors, and what else it takes to go on."""
        return {
            "weights": packed_state(self.supernet, self._weights),
            "policy": packed_state(self.policy, self._probabilities),
            "step": self.step,
            "bounds": self.bounds,
            "baseline": self.baseline,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        for module, optimizer, name in (
            (self.supernet, self._weights, "weights"),
            (self.policy, self._probabilities, "policy"),
        ):
            restore_weights(module, state[name])
            restore_moments(module, optimizer, state[name])
        self.step, self.baseline = state["step"], state["baseline"]
        self.bounds = np.asarray(state["bounds"], np.float64)

    def _batches(self, epoch: int) -> list[npt.NDArray[np.int64]]:
        return batches_of(self._stream, epoch, len(self.data.train), self.instance.params.batch_size)

    def _labels(self, split: Split, rows: npt.NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(split.labels[rows]).to(self.device)

    def _train(self, rows: npt.NDArray[np.int64], searching: bool) -> float:
        params = self.instance.params
        set_rate(self._weights, params.learning_rate, self.step / self.steps)
        images, labels = self.images.batch(self.data.train, rows), self._labels(self.data.train, rows)
        stream = self._stream("trained", self.step)
        choice = self.policy.draw(stream)
        self._weights.zero_grad(set_to_none=True)
        maps = self.supernet.edge(images, choice.operations, choice.position)
        if searching and self._aware:
            both = torch.cat([maps, self._protected(maps, choice, stream)])
            clean, noisy = self.supernet.server(both, choice.operations, choice.position).chunk(2)
            loss = joint_loss(clean, noisy, labels, params.clean_share)
        else:
            loss = functional.cross_entropy(self.supernet.server(maps, choice.operations, choice.position), labels)
        loss.backward()
        self._weights.step()
        return float(loss.detach())

    def _protected(self, maps: Tensor, choice: Choice, stream: np.random.Generator) -> Tensor:
        bound = self.bound(choice)
        return protected(maps, bound, scale_of(bound, choice.epsilon), lambda shape: noise(stream, shape))

    def _measured_bounds(self) -> FloatArray:
        """Medians of norms over the first images of the epoch's order, each operation once behind others drawn at random."""
        stream, bounds = self._stream("bounds", self.step), self.bounds.copy()
        counts = [len(block.operations) for block in self.instance.space.blocks]
        orders = [stream.permutation(count) for count in counts]
        rows = np.concatenate(self._batches(self.step // self.steps_per_epoch))[:_NORM_IMAGES]
        images = self.images.batch(self.data.train, rows)
        with torch.no_grad():
            for turn in range(max(counts)):
                active = [int(order[turn % len(order)]) for order in orders]
                norms = self.supernet.norms(images, active).cpu().numpy()
                bounds[np.arange(len(counts)), active] = np.median(norms, axis=1)
        return bounds

    def _update(self) -> list[float]:
        """Sample, reward, follow; the rewards."""
        stream, params = self._stream("sampled", self.step), self.instance.params
        choices = [self.policy.draw(stream) for _ in range(params.samples)]
        rows = stream.choice(len(self.data.validation), min(_REWARD_IMAGES, len(self.data.validation)), replace=False)
        images = self.images.batch(self.data.validation, rows)
        labels = self._labels(self.data.validation, rows)
        with torch.no_grad():
            rewards = [self._reward(choice, images, labels, stream) for choice in choices]
        mean = float(np.mean(rewards))
        if np.isnan(self.baseline):
            self.baseline = mean
        self._probabilities.zero_grad(set_to_none=True)
        self.policy.objective(choices, rewards, self.baseline).backward()
        self._probabilities.step()
        self.baseline = params.baseline_decay * self.baseline + (1 - params.baseline_decay) * mean
        return rewards

    def _reward(self, choice: Choice, images: Tensor, labels: Tensor, stream: np.random.Generator) -> float:
        params = self.instance.params
        maps = self.supernet.edge(images, choice.operations, choice.position)
        held = torch.cat([maps, self._protected(maps, choice, stream)]) if self._aware else maps
        outputs = self.supernet.server(held, choice.operations, choice.position)
        right = (outputs.argmax(1) == labels.repeat(len(held) // len(labels))).double().mean()
        seconds, _ = self.instance.costs.of(choice.operations, choice.position)
        targets = (1e-3 * params.latency_target_ms, params.epsilon_target)
        exponents = (params.latency_weight, params.epsilon_weight if self._aware else 0.0)
        return reward(float(right), seconds, choice.epsilon, targets, exponents)


def joint_loss(clean: Tensor, noisy: Tensor, labels: Tensor, share: float) -> Tensor:
    """Eq. A.2: `share` of the loss on clean outputs, the rest on noisy ones, each of shape `b x classes`."""
    return share * functional.cross_entropy(clean, labels) + (1 - share) * functional.cross_entropy(noisy, labels)
