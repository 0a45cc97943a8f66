"""The original and what was pruned from it, at hand for measuring. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context
from engines.contract.errors import StopRequested
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.methods.myml.choices import ORIGINAL, Choice
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.layers import LayerRemainder
from engines.methods.myml.network import smaller
from engines.methods.myml.original import Original, outputs_of
from engines.methods.myml.pruning import PrunedNetwork, Source, pruned
from engines.methods.myml.scoring import NetworkMeasurement, columns_of
from engines.methods.myml.stages import kept_of
from engines.methods.myml.user import Profile, equal


@dataclass(eq=False)
class Bench:
    """Measures choices; trains each once.

    Attributes:
        source: the original with the user's images.
    """

    instance: MymlInstance
    data: DataSet
    context: Context
    source: Source
    _measured: dict[str, NetworkMeasurement] = field(default_factory=dict)

    def columns(self, choices: Sequence[Choice]) -> dict[str, FloatArray]:
        """Return the columns of choices, shape `n` each; like all else here it raises StopRequested where a stop is asked for."""
        rows = [columns_of(self.instance, choice, self.measured(choice), self.original) for choice in choices]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def measured(self, choice: Choice) -> NetworkMeasurement:
        """Return the size and accuracy of the pruned network."""
        if choice.order == ORIGINAL:
            return self.original
        if choice.trained_name not in self._measured:
            profile = self.instance.user if choice.specific else self._everything
            self._measured[choice.trained_name] = self._of(self.network(choice, profile), choice)
        return self._measured[choice.trained_name]

    def network(self, choice: Choice, profile: Profile) -> PrunedNetwork:
        """Return the pruned network, of the weights that the run kept or that pruning gives again."""

        def build() -> bytes:
            made = pruned(self.source, choice, profile, self.context.random, self.context.stop_requested)
            if made is None:
                raise StopRequested
            return made.state()

        digest = hashlib.sha256(repr(profile).encode()).hexdigest()[:16]
        state = self.context.files.get_or_build(f"myml-{choice.trained_name}-{digest}", build)
        return self.source.restored(choice, profile.classes, state)

    def outputs(self, network: PrunedNetwork, split: Split) -> FloatArray:
        """Return the outputs of the network without what pruning took away, `n x classes`."""
        left = smaller(network.network, self.instance.layers, network.masks)
        return outputs_of(left.to(self.context.device), self.source.images, split, network.form)

    def kept(self, network: PrunedNetwork, choice: Choice) -> tuple[LayerRemainder, ...]:
        """Return the channels of the layers that pruning keeps."""
        return kept_of(self.instance.layers, network.masks, choice.granularity == "asymmetric")

    @cached_property
    def original(self) -> NetworkMeasurement:
        """Measure the network as it was trained."""
        found = [outputs_of(self.source.network, self.source.images, split) for split in self._held_out]
        return NetworkMeasurement.of(
            self.instance, self.instance.whole, self._everything.classes, found, self._labels, 0
        )

    def _of(self, network: PrunedNetwork, choice: Choice) -> NetworkMeasurement:
        found = [self.outputs(network, split) for split in self._held_out]
        kept = self.kept(network, choice)
        return NetworkMeasurement.of(self.instance, kept, network.classes, found, self._labels, network.images_seen)

    @property
    def _held_out(self) -> tuple[Split, Split]:
        return self.data.validation, self.data.test

    @property
    def _labels(self) -> tuple[IntArray, IntArray]:
        return self.data.validation.labels, self.data.test.labels

    @property
    def _everything(self) -> Profile:
        return equal(tuple(range(len(self.data.classes))))


def bench_with(learner: Original) -> Bench:
    """Return the bench of a trained original."""
    images, network = Images(learner.data, None, learner.context.device), learner.network
    network.eval()
    network.requires_grad_(False)
    outputs = outputs_of(network, images, learner.pool)
    instance = learner.instance
    source = Source(instance.params, network, instance.layers, images, learner.pool, outputs)
    return Bench(instance, learner.data, learner.context, source)
