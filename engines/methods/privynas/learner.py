"""Training of the supernet on clean and noisy tensors while the search learns. Imported only where torch is needed.

Clean epochs first, each batch through one network drawn evenly. Then, in every epoch: bounds B are measured again (successive
refinement), networks are drawn by the present probabilities and trained on eq. A.2, and a few times sampled networks are rewarded
(eq. A.6) and the probabilities follow. Everything random comes from streams keyed by the number of the step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context, FileStore
from engines.data.data_set import Split
from engines.data.torch_images import Images
from engines.learning.course import Course
from engines.learning.torch_learner import (
    TorchLearner,
    adam,
    batches_of,
    packed_state,
    restore_moments,
    restore_weights,
)
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.costs import reward
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.mechanism import noise, scale_of
from engines.methods.privynas.network import PrivacySupernet, protected
from engines.methods.privynas.policy import Policy

_NORM_IMAGES, _REWARD_IMAGES = 256, 128


class SupernetLearner(TorchLearner):
    """A supernet and the probabilities of its networks.

    Args:
        instance: problem of the search and its options.
        context: random streams, files and device.

    Attributes:
        data: training data.
        images: the same as batches.
        policy: the probabilities.
        bounds: B of each operation of each block, shape `blocks x most operations`; NaN where there is none yet.
        baseline: moving mean of rewards; NaN before the first.
        rewards: rewards of the networks that were sampled in the epoch under way.
    """

    def __init__(self, instance: PrivynasInstance, context: Context) -> None:
        params, space, stream, device = instance.params, instance.space, context.random, context.device
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights").integers(2**31)))
            supernet = PrivacySupernet(space).to(device)
        super().__init__(supernet, params.warm_up_epochs + params.epochs)
        self.context, self.data = context, instance.data.read(context.files)
        self._instance, self._stream, self._device = instance, stream, device
        self.images = Images(self.data, space.side, device)
        counts = [len(block.operations) for block in space.blocks]
        self.policy = Policy(counts, instance.positions, instance.epsilons)
        self._probabilities = self._new_probabilities()
        self.bounds = np.full((len(counts), max(counts)), np.nan)
        self.baseline, self.rewards = float("nan"), list[float]()

    def kept(self, files: FileStore) -> dict[str, Any]:
        """Return the state that a checkpoint stores next to the weights of the supernet."""
        policy = files.put(packed_state(self.policy, self._probabilities))
        rewards = np.array(self.rewards, dtype=np.float64)
        return {"policy": policy, "bounds": self.bounds, "rewards": np.append(rewards, self.baseline)}

    def restore_kept(self, state: Mapping[str, Any], files: FileStore) -> None:
        """Go on from it."""
        held = files.get(state["policy"])
        restore_weights(self.policy, held)
        self._probabilities = self._new_probabilities()
        restore_moments(self.policy, self._probabilities, held)
        self.bounds = np.asarray(state["bounds"], np.float64)
        *self.rewards, self.baseline = np.asarray(state["rewards"], np.float64).tolist()

    def new_optimizer(self, epoch: int) -> torch.optim.Optimizer:
        """Return one optimiser for the whole training."""
        return adam(self.network.parameters(), self._instance.params.learning_rate)

    def batches(self, epoch: int) -> Sequence[IntArray]:
        """Return the training batches of images."""
        return batches_of(self._stream, epoch, len(self.data.train), self._instance.params.batch_size)

    def progress(self, epoch: int, share: float) -> float:
        """Lower the rate over both trainings."""
        return (epoch + share) / self.epochs

    def enter(self, epoch: int) -> None:
        """Make bounds follow the weights, from the end of the clean training on."""
        super().enter(epoch)
        params, self.rewards = self._instance.params, []
        if self._searching(epoch) and (epoch - params.warm_up_epochs) % params.refresh_epochs == 0:
            self.bounds = self._measured_bounds(epoch)

    def learn(self, batch: Any, epoch: int, share: float) -> float:
        """Return one batch, and an update of the probabilities where it is time for one."""
        count = len(self.batches(epoch))
        place, updates = round(share * count), self._instance.params.updates
        self._step = epoch * count + place
        loss = super().learn(batch, epoch, share)
        if self._searching(epoch) and (place + 1) * updates // count > place * updates // count:
            self._update()
        return loss

    def loss(self, batch: Any, epoch: int) -> Tensor:
        """Return the value of eq. A.2 of one network; on clean images alone at first, and where the search knows of no noise."""
        params, train = self._instance.params, self.data.train
        images, labels = self.images.batch(train, batch), self._labels(train, batch)
        stream = self._stream("trained", self._step)
        choice = self.policy.draw(stream)
        maps = self.network.edge(images, choice.operations, choice.position)
        if not (self._searching(epoch) and self._aware):
            return functional.cross_entropy(self.network.server(maps, choice.operations, choice.position), labels)
        both = torch.cat([maps, self._protected(maps, choice, stream)])
        clean, noisy = self.network.server(both, choice.operations, choice.position).chunk(2)
        return joint_loss(clean, noisy, labels, params.clean_share)

    def measure(self) -> Mapping[str, float]:
        """Return the mean reward of the epoch, 0 before any; probabilities of cuts and of budgets."""
        cuts = {f"cut {each}": value for each, value in zip(self._instance.positions, self.policy.cuts(), strict=True)}
        pairs = zip(self._instance.epsilons, self.policy.budgets(), strict=True)
        budgets = {f"epsilon {each:g}": value for each, value in pairs}
        return {"reward": float(np.mean(self.rewards)) if self.rewards else 0.0, **cuts, **budgets}

    @property
    def _aware(self) -> bool:
        return self._instance.params.search == "privacy-aware"

    def _searching(self, epoch: int) -> bool:
        return epoch >= self._instance.params.warm_up_epochs

    def _new_probabilities(self) -> torch.optim.Optimizer:
        learnt = self.policy.parameters() if self._aware else self.policy.alpha.parameters()
        return torch.optim.Adam(learnt, lr=self._instance.params.policy_rate)

    def _labels(self, split: Split, rows: IntArray) -> Tensor:
        return torch.from_numpy(split.labels[rows]).to(self._device)

    def _protected(self, maps: Tensor, choice: Choice, stream: np.random.Generator) -> Tensor:
        last = choice.position - 1
        bound = float(self.bounds[last, choice.operations[last]])
        return protected(maps, bound, scale_of(bound, choice.epsilon), lambda shape: noise(stream, shape))

    def _measured_bounds(self, epoch: int) -> FloatArray:
        """Return the medians of norms over the first images of the epoch, each operation once behind others drawn at random."""
        stream, bounds = self._stream("bounds", epoch), self.bounds.copy()
        counts = [len(block.operations) for block in self._instance.space.blocks]
        orders = [stream.permutation(count) for count in counts]
        images = self.images.batch(self.data.train, np.concatenate(self.batches(epoch))[:_NORM_IMAGES])
        with torch.no_grad():
            for turn in range(max(counts)):
                active = [int(order[turn % len(order)]) for order in orders]
                norms = self.network.norms(images, active).cpu().numpy()
                bounds[np.arange(len(counts)), active] = np.median(norms, axis=1)
        return bounds

    def _update(self) -> None:
        """Sample, reward, follow."""
        stream, params, held_out = self._stream("sampled", self._step), self._instance.params, self.data.validation
        choices = [self.policy.draw(stream) for _ in range(params.samples)]
        rows = stream.choice(len(held_out), min(_REWARD_IMAGES, len(held_out)), replace=False)
        images, labels = self.images.batch(held_out, rows), self._labels(held_out, rows)
        with torch.no_grad():
            rewards = [self._reward(choice, images, labels, stream) for choice in choices]
        mean = float(np.mean(rewards))
        self.baseline = mean if np.isnan(self.baseline) else self.baseline
        self._probabilities.zero_grad(set_to_none=True)
        self.policy.objective(choices, rewards, self.baseline).backward()
        self._probabilities.step()
        self.baseline = params.baseline_decay * self.baseline + (1 - params.baseline_decay) * mean
        self.rewards += rewards

    def _reward(self, choice: Choice, images: Tensor, labels: Tensor, stream: np.random.Generator) -> float:
        params = self._instance.params
        maps = self.network.edge(images, choice.operations, choice.position)
        held = torch.cat([maps, self._protected(maps, choice, stream)]) if self._aware else maps
        outputs = self.network.server(held, choice.operations, choice.position)
        right = (outputs.argmax(1) == labels.repeat(len(held) // len(labels))).double().mean()
        seconds, _ = self._instance.costs.of(choice.operations, choice.position)
        targets = (1e-3 * params.latency_target_ms, params.epsilon_target)
        exponents = (params.latency_weight, params.epsilon_weight if self._aware else 0.0)
        return reward(float(right), seconds, choice.epsilon, targets, exponents)


class SearchCourse(Course):
    """The training of a supernet, whose checkpoints keep the probabilities too."""

    learner: SupernetLearner

    def state(self, files: FileStore) -> dict[str, Any]:
        """Return probabilities and training for a checkpoint."""
        return {**self.learner.kept(files), **super().state(files)}

    def restore(self, state: Mapping[str, Any], files: FileStore) -> None:
        """Go on from what `state` gave."""
        super().restore(state, files)
        self.learner.restore_kept(state, files)


def joint_loss(clean: Tensor, noisy: Tensor, labels: Tensor, share: float) -> Tensor:
    """Return the value of eq. A.2: `share` of the loss on clean outputs, the rest on noisy ones, each of shape `b x classes`."""
    return share * functional.cross_entropy(clean, labels) + (1 - share) * functional.cross_entropy(noisy, labels)
