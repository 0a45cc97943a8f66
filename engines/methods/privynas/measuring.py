"""Measurements of cut and protected networks: bounds, accuracy on clean and noisy tensors, and the search that trains server sides.

Imported only where torch is needed. Every draw is keyed by the design, so that it is worth the same wherever it is measured again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import Recorder, Step
from engines.data.data_set import Split
from engines.learning.course import CHECKPOINT_S, Course
from engines.learning.torch_learner import packed_state, restore_weights
from engines.methods.privynas.candidates import candidates
from engines.methods.privynas.choice import Choice, decision_of
from engines.methods.privynas.costs import SENT_BYTES
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.inversion_attacks import measured_leak
from engines.methods.privynas.learner import SupernetLearner
from engines.methods.privynas.mechanism import scale_of
from engines.methods.privynas.network import norms_of
from engines.methods.privynas.subnet import ServerLearner, Subnet

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
        instance: problem of the search.
        learner: the supernet after its training, with data, random streams, files and device.
    """

    def __init__(self, instance: PrivynasInstance, learner: SupernetLearner) -> None:
        self.instance, self.data, self.context, self._learner = instance, learner.data, learner.context, learner
        self.images = learner.images

    def search(self, record: Recorder, kept: Mapping[str, Any]) -> Iterator[Step]:
        """Train the server side of one candidate after the other, and measure it."""
        chosen = candidates(self.instance, self._learner.policy, self.context)
        while record.evaluations < len(chosen) and not self.context.stop_requested():
            choice = chosen[record.evaluations]
            yield from self._train_server(choice, len(chosen), kept, record)
            if self.context.stop_requested():
                return
            record.add(Designs(self.columns([choice]), [decision_of(self.instance, choice)]))
            done = record.evaluations
            words = f"Design {done} of {len(chosen)}: epsilon {choice.epsilon:g} after block {choice.position}"
            yield record.step(_fraction(done, len(chosen)), words, state=kept)

    def subnet(self, choice: Choice) -> Subnet:
        """Return one network as the supernet has it, with its bound: the median over all images to learn from."""
        found = Subnet(self._learner.network, choice)
        with torch.no_grad():
            norms = [norms_of(found.edge(images)).cpu().numpy() for images, _ in self.batches(self.data.train)]
        found.bound = float(np.median(np.concatenate(norms)))
        return found

    def course(self, subnet: Subnet) -> Course:
        """Return the training of its server's side."""
        params, stream = self.instance.params, self.context.random
        return Course(ServerLearner(subnet, self.data, self.images, params, stream))

    def learnt(self, subnet: Subnet) -> None:
        """Train its server's side, or take it from the file that the run kept."""

        def again() -> bytes:
            self.course(subnet).finish()
            return packed_state(subnet.server)

        restore_weights(subnet.server, self.context.files.get_or_build(f"privynas-{subnet.choice.name}", again))

    def accuracy(self, subnet: Subnet, split: Split, name: str, epsilon: float | None = None) -> Accuracy:
        """Measure on clean and on noisy tensors of a split; at the design's own budget or at another one."""
        right = np.zeros(2)
        stream = self.context.random("measured", name, subnet.choice.name)
        with torch.no_grad():
            for images, labels in self.batches(split):
                maps = subnet.edge(images)
                for place, held in enumerate((maps, subnet.protected(maps, stream, epsilon))):
                    right[place] += int((subnet.server(held).argmax(1) == labels).sum())
        clean, noisy = (100 * right / len(split)).tolist()
        return Accuracy(clean, noisy)

    def columns(self, choices: Sequence[Choice]) -> dict[str, FloatArray]:
        """Return the columns of choices, shape `n` each."""
        rows = [self._row(choice) for choice in choices]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def batches(self, split: Split) -> list[tuple[Tensor, Tensor]]:
        """Return the images and labels of a split, in its order."""
        found = []
        for start in range(0, len(split), _TOGETHER):
            rows = np.arange(start, min(start + _TOGETHER, len(split)))
            labels = torch.from_numpy(split.labels[rows]).to(self.context.device)
            found.append((self.images.batch(split, rows), labels))
        return found

    def _train_server(self, choice: Choice, count: int, kept: Mapping[str, Any], record: Recorder) -> Iterator[Step]:
        """Yield the server's side of one design, kept as a file; with a checkpoint now and then where that takes long."""
        context, subnet = record.context, self.subnet(choice)
        course, told = self.course(subnet), time.monotonic()
        if record.state is not None and record.state.get("server") == choice.name:
            course.restore({name.removeprefix("server_"): each for name, each in record.state.items()}, context.files)
        while not course.done:
            ending = course.advance(context.stop_requested, CHECKPOINT_S)
            if ending == "stopped" or time.monotonic() - told > CHECKPOINT_S:
                held = {f"server_{name}": each for name, each in course.state(context.files).items()}
                words = f"Server's side of design {record.evaluations + 1}: {course.words}"
                state = {**kept, "server": choice.name, **held}
                yield record.step(_fraction(record.evaluations, count), words, state=state)
                told = time.monotonic()
            if ending == "stopped":
                return
        context.files.get_or_build(f"privynas-{choice.name}", lambda: packed_state(subnet.server))

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


def _fraction(done: int, count: int) -> float:
    return 0.6 + (0.99 - 0.6) * done / count
