"""What networks are worth, cut and protected: bounds, accuracy on clean and noisy, training of the server's side.

Imported only where torch is needed. Every draw is keyed by the design, so that it is worth the same wherever it is measured again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import Context
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.course import Course
from engines.learning.torch_learner import packed_state, restore_weights
from engines.methods.privynas.choice import Choice, decision_of
from engines.methods.privynas.costs import SENT_BYTES
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.inversion_attacks import measured_leak
from engines.methods.privynas.mechanism import scale_of
from engines.methods.privynas.network import PrivacySupernet, norms_of
from engines.methods.privynas.server import ServerLearner
from engines.methods.privynas.subnet import Subnet

_TOGETHER = 512  # images that are measured at once


@dataclass(frozen=True)
class Accuracy:
    """In percent."""

    clean: float
    noisy: float

    @property
    def total(self) -> float:
        """Mean of both."""
        return (self.clean + self.noisy) / 2


class Bench:
    """Measures networks of a trained supernet.

    Args:
        instance: what was searched.
        data: by what.
        weights: of the supernet, as safetensors.
        context: random streams, files and device.
    """

    def __init__(self, instance: PrivynasInstance, data: DataSet, weights: bytes, context: Context) -> None:
        self.instance, self.data, self.context = instance, data, context
        self._weights = weights
        self.images = Images(data, instance.space.side, context.device)

    @cached_property
    def supernet(self) -> PrivacySupernet:
        """With the weights that were trained."""
        found: PrivacySupernet = PrivacySupernet(self.instance.space)
        found.to(self.context.device)
        restore_weights(found, self._weights)
        return found

    def subnet(self, choice: Choice) -> Subnet:
        """One network as the supernet has it, with its bound: the median over all images to learn from."""
        found = Subnet(self.supernet, choice)
        with torch.no_grad():
            norms = [norms_of(found.edge(images)).cpu().numpy() for images, _ in self.batches(self.data.train)]
        found.bound = float(np.median(np.concatenate(norms)))
        return found

    def course(self, subnet: Subnet) -> Course:
        """The training of its server's side."""
        params, stream = self.instance.params, self.context.random
        return Course(ServerLearner(subnet, self.data, self.images, params, stream))

    def learnt(self, subnet: Subnet) -> None:
        """Train its server's side, or take it from the file that the run kept."""

        def again() -> bytes:
            self.course(subnet).finish()
            return packed_state(subnet.server)

        restore_weights(subnet.server, self.context.files.get_or_build(f"privynas-{subnet.choice.name}", again))

    def accuracy(self, subnet: Subnet, split: Split, name: str, epsilon: float | None = None) -> Accuracy:
        """On clean and on noisy tensors of a split; at the design's own budget or at another one."""
        right = np.zeros(2)
        stream = self.context.random("measured", name, subnet.choice.name)
        with torch.no_grad():
            for images, labels in self.batches(split):
                maps = subnet.edge(images)
                for place, held in enumerate((maps, subnet.protected(maps, stream, epsilon))):
                    right[place] += int((subnet.server(held).argmax(1) == labels).sum())
        clean, noisy = (100 * right / len(split)).tolist()
        return Accuracy(clean, noisy)

    def designs(self, choices: Sequence[Choice]) -> Designs:
        """Choices as designs."""
        rows = [self._row(choice) for choice in choices]
        columns: dict[str, FloatArray] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        return Designs(columns, [decision_of(self.instance, choice) for choice in choices])

    def batches(self, split: Split) -> list[tuple[Tensor, Tensor]]:
        """Images and labels of a split, in its order."""
        found = []
        for start in range(0, len(split), _TOGETHER):
            rows = np.arange(start, min(start + _TOGETHER, len(split)))
            labels = torch.from_numpy(split.labels[rows]).to(self.context.device)
            found.append((self.images.batch(split, rows), labels))
        return found

    def _row(self, choice: Choice) -> dict[str, float]:
        data, instance = self.data, self.instance
        subnet = self.subnet(choice)
        before = self.accuracy(subnet, data.validation, "before")
        self.learnt(subnet)
        chosen, tested = (
            self.accuracy(subnet, split, name) for split, name in ((data.validation, "chosen"), (data.test, "test"))
        )
        leak = measured_leak(subnet, data, self.images, self.context.random)
        seconds, joules = instance.costs.of(choice.operations, choice.position)
        elements = instance.space.blocks[choice.position - 1].elements
        return {
            "accuracy_percent": chosen.total, "epsilon": choice.epsilon, "latency_s": seconds, "energy_j": joules,
            "test_accuracy_percent": tested.total, "clean_test_percent": tested.clean, "noisy_test_percent": tested.noisy,
            "untrained_noisy_percent": before.noisy, "bound": subnet.bound,
            "noise_scale": scale_of(subnet.bound, choice.epsilon), "tensor_epsilon": elements * choice.epsilon,
            "reconstruction_error": leak.reconstruction, "membership_area": leak.membership,
            "device_memory_bytes": instance.memory_bytes(choice.operations, choice.position),
            "sent_bytes": float(SENT_BYTES * elements), "position": float(choice.position),
        }  # fmt: skip
