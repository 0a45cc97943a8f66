"""What networks are worth, cut and protected: bounds, accuracy on clean and noisy, training of the server's side.

Imported only where torch is needed. Every draw is keyed by the design, so that it is worth the same wherever it is measured again.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from safetensors.torch import load, save
from torch import Tensor, nn

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import Context
from engines.contract.limits import ROOM, least_room
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.torch_learner import batches_of, set_rate
from engines.methods.privynas.choice import Choice, decision_of
from engines.methods.privynas.costs import SENT_BYTES
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.mechanism import noise, scale_of
from engines.methods.privynas.network import PrivacySupernet, norms_of, protected
from engines.methods.privynas.trainer import joint_loss

_TOGETHER = 512  # images that are measured at once


class Subnet(nn.Module):
    """One network of the supernet with weights of its own, both sides of its cut.

    Attributes:
        choice: what it is.
        bound: B behind its cut.
    """

    def __init__(self, supernet: PrivacySupernet, choice: Choice) -> None:
        super().__init__()
        active = [deepcopy(block[place]) for block, place in zip(supernet.blocks, choice.operations, strict=True)]
        self.edge = nn.Sequential(deepcopy(supernet.stem), *active[: choice.position])
        self.server = nn.Sequential(*active[choice.position :], deepcopy(supernet.head))
        self.choice, self.bound = choice, float("nan")

    def protected(self, maps: Tensor, stream: np.random.Generator, epsilon: float | None = None) -> Tensor:
        """What is sent, of what the edge gave out; at the design's own budget or at another one."""
        scale = scale_of(self.bound, self.choice.epsilon if epsilon is None else epsilon)
        return protected(maps, self.bound, scale, lambda shape: noise(stream, shape))


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
        found.load_state_dict(load(self._weights))
        return found

    def subnet(self, choice: Choice) -> Subnet:
        """One network as the supernet has it, with its bound: the median over all images to learn from."""
        found = Subnet(self.supernet, choice)
        with torch.no_grad():
            norms = [norms_of(found.edge(images)).cpu().numpy() for images, _ in self.batches(self.data.train)]
        found.bound = float(np.median(np.concatenate(norms)))
        return found

    def trained(self, choice: Choice) -> Subnet:
        """With its server's side trained on clean and noisy; of the file that the run kept, if there is one."""
        found = self.subnet(choice)
        if self.instance.params.server_epochs:
            state = self.context.files.get_or_build(f"privynas-{choice.name}", lambda: self._server_state(choice))
            found.server.load_state_dict(load(state))
        return found

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
        columns[ROOM.name] = least_room(self.instance.allowed, columns)
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
        before = self.accuracy(self.subnet(choice), data.validation, "before")
        subnet = self.trained(choice)
        chosen, tested = (
            self.accuracy(subnet, split, name) for split, name in ((data.validation, "chosen"), (data.test, "test"))
        )
        seconds, joules = instance.costs.of(choice.operations, choice.position)
        elements = instance.space.blocks[choice.position - 1].elements
        return {
            "accuracy_percent": chosen.total, "epsilon": choice.epsilon, "latency_s": seconds, "energy_j": joules,
            "test_accuracy_percent": tested.total, "clean_test_percent": tested.clean, "noisy_test_percent": tested.noisy,
            "untrained_noisy_percent": before.noisy, "bound": subnet.bound,
            "noise_scale": scale_of(subnet.bound, choice.epsilon), "tensor_epsilon": elements * choice.epsilon,
            "sent_bytes": float(SENT_BYTES * elements), "position": float(choice.position),
        }  # fmt: skip

    def _server_state(self, choice: Choice) -> bytes:
        """Section A.4: weights before the cut stay, those behind it learn by eq. A.2."""
        subnet, params, stream = self.subnet(choice), self.instance.params, self.context.random
        name, train = choice.name, self.data.train
        optimizer = torch.optim.Adam(subnet.server.parameters(), lr=params.learning_rate)
        for epoch in range(params.server_epochs):
            draws = stream("server", name, epoch)
            batches = batches_of(lambda *names: stream("server", name, *names), epoch, len(train), params.batch_size)
            for number, rows in enumerate(batches):
                set_rate(optimizer, params.learning_rate, (epoch + number / len(batches)) / params.server_epochs)
                labels = torch.from_numpy(train.labels[rows]).to(self.context.device)
                with torch.no_grad():
                    maps = subnet.edge(self.images.batch(train, rows))
                    held = torch.cat([maps, subnet.protected(maps, draws)])
                clean, noisy = subnet.server(held).chunk(2)
                optimizer.zero_grad(set_to_none=True)
                joint_loss(clean, noisy, labels, params.clean_share).backward()
                optimizer.step()
        return bytes(
            save({key: value.detach().cpu().contiguous() for key, value in subnet.server.state_dict().items()})
        )
