"""Pruning of the original for a user, stage after stage, by torch. Imported only where torch is needed.

The original's own outputs are the truth that is learnt (goyal-2023 section 4.3.2.1); images that it takes for no class of the user
are left out. Bottom-up the layers above the pruned block are the original's and are computed once per stage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from safetensors.torch import load, save
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.data.data_set import Split
from engines.data.torch_images import Images
from engines.learning.course import Course
from engines.learning.torch_learner import Stream, TorchLearner, adam
from engines.methods.myml.block_floating_point import BlockFormat
from engines.methods.myml.choices import Choice, kept_channels
from engines.methods.myml.layers import Layer
from engines.methods.myml.network import Blocks, factors_of, lowest_removed, masked, put_back, smaller, used_of
from engines.methods.myml.params import MymlParams
from engines.methods.myml.stages import stages_of
from engines.methods.myml.user import Profile

_DRAWN_AT_ONCE, _MOST_DRAWS = 4, 1000
_COMPUTED_TOGETHER = 256


@dataclass(frozen=True, eq=False)
class PrunedNetwork:
    """A network for some classes.

    Attributes:
        classes: labels that its outputs stand for.
        network: with zero channels.
        masks: masks of each layer, `filters x channels`.
        images_seen: that the user had to bring for as many as were learnt from.
    """

    classes: tuple[int, ...]
    network: Blocks
    masks: tuple[BoolArray, ...]
    form: BlockFormat | None
    images_seen: int

    def state(self) -> bytes:
        """Return the weights and masks as safetensors."""
        held = {
            f"weights.{name}": value.detach().cpu().contiguous() for name, value in self.network.state_dict().items()
        }
        held |= {f"mask.{number}": torch.from_numpy(mask.astype(np.uint8)) for number, mask in enumerate(self.masks)}
        return bytes(save({**held, "images_seen": torch.tensor(self.images_seen)}))


@dataclass(frozen=True, eq=False)
class Source:
    """The source of a pruning: the original network and its data.

    Attributes:
        network: the original.
        layers: its layers.
        images: reads examples.
        pool: the user's images.
        outputs: outputs of the original for them, `n x classes`.
    """

    params: MymlParams
    network: Blocks
    layers: tuple[Layer, ...]
    images: Images
    pool: Split
    outputs: FloatArray

    def blank(self, classes: tuple[int, ...]) -> Blocks:
        """Return the original with the outputs of these classes alone."""
        *before, last = self.layers
        found = Blocks([*before, _with_filters(last, len(classes))], self.network.halved)
        rows = torch.tensor(classes)
        state = dict(self.network.state_dict())
        end = len(before)
        for name in ("weight", "bias"):
            state[f"parts.{end}.{name}"] = state[f"parts.{end}.{name}"][rows.to(state[f"parts.{end}.{name}"].device)]
        found.load_state_dict(state)
        found.to(next(self.network.parameters()).device)
        return found

    def restored(self, choice: Choice, classes: tuple[int, ...], state: bytes) -> PrunedNetwork:
        """Restore a network from what `PrunedNetwork.state` kept."""
        held = load(state)
        network = self.blank(classes)
        network.load_state_dict(
            {name.removeprefix("weights."): value for name, value in held.items() if name.startswith("weights.")}
        )
        masks = tuple(held[f"mask.{number}"].numpy().astype(bool) for number in range(len(self.layers)))
        return PrunedNetwork(classes, network, masks, choice.form, int(held["images_seen"]))

    def drawn(self, profile: Profile, count: int, random: np.random.Generator) -> tuple[IntArray, int]:
        """Return the rows of the pool of images that the original takes for a class of the profile, and how many had to come."""
        by_class = {label: np.flatnonzero(self.pool.labels == label) for label in profile.classes}
        predicted = np.isin(self.outputs.argmax(axis=1), np.array(profile.classes))
        found, seen = list[int](), 0
        for _ in range(_MOST_DRAWS):
            for label in profile.drawn(random, _DRAWN_AT_ONCE * count).tolist():
                row = int(random.choice(by_class[label]))
                seen += 1
                if predicted[row]:
                    found.append(row)
                if len(found) == count:
                    return np.array(found, dtype=np.int64), seen
        raise RuntimeError(f"The original takes none of {seen} images for one of the classes {profile.classes}.")


def _with_filters(layer: Layer, filters: int) -> Layer:
    return Layer(layer.title, layer.group, layer.channels, filters, layer.kernel, layer.size_in, layer.size_out)


class Pruner(TorchLearner):
    """A network under pruning: every epoch is a stage with an optimiser of its own.

    Args:
        source: the original and the user's images.
        choice: the choice.
        profile: classes and how often each comes; for a user-agnostic network all.
        stream: random numbers by name: those of the images follow from classes and stage.
    """

    def __init__(self, source: Source, choice: Choice, profile: Profile, stream: Stream) -> None:
        self._stages = stages_of(choice, source.params.extra_epochs)
        self._whole = source.blank(profile.classes)
        super().__init__(self._whole, len(self._stages), range(len(self._stages)))
        self._source, self._choice, self._profile, self._stream = source, choice, profile, stream
        self._masks = [np.ones(part.weight.shape[:2], dtype=bool) for part in self._whole.parts]
        self._seen = self._begin = 0

    @property
    def found(self) -> PrunedNetwork:
        """The outcome of it."""
        self._gather()
        masked(self._whole, factors_of(self._whole, self._masks))
        return PrunedNetwork(self._profile.classes, self._whole, tuple(self._masks), self._choice.form, self._seen)

    def batches(self, epoch: int) -> Sequence[slice]:
        """Return the batches of the stage's images."""
        size, count = self._choice.batch, self._source.params.images_per_class * len(self._profile.classes)
        return [slice(at, at + size) for at in range(0, count, size)]

    def enter(self, epoch: int) -> None:
        """Remove channels; the rest learns as a really smaller network, and layers that are not updated are computed once."""
        self._gather()
        source, stage, choice = self._source, self._stages[epoch], self._choice
        asymmetric = choice.granularity == "asymmetric"
        for number, layer in enumerate(source.layers):
            if layer.group in stage.pruned and not layer.first:
                left = kept_channels(layer.channels, choice.rates_percent[layer.group - 1])
                self._masks[number] = lowest_removed(self._whole, number, left, asymmetric, source.params.criterion)
        self.network = smaller(self._whole, source.layers, self._masks).to(next(self._whole.parameters()).device)
        self._factors = self._left_factors()
        for part, layer in zip(self.network.parts, source.layers, strict=True):
            part.requires_grad_(layer.group in stage.updated)
        self._draw(epoch)
        super().enter(epoch)

    def _gather(self) -> None:
        """Store the weights that the last stage has learnt."""
        if self.network is not self._whole:
            put_back(self.network, self._whole, self._source.layers, self._masks)

    def _left_factors(self) -> list[Tensor]:
        """Return the zeros that stay within the smaller network, where filters keep different channels."""
        used = used_of(self._source.layers, self._masks)
        masks = [mask[down][:, across] for mask, (down, across) in zip(self._masks, used, strict=True)]
        return [] if all(mask.all() for mask in masks) else factors_of(self.network, masks)

    def _draw(self, epoch: int) -> None:
        """Sample the images of a stage; store the input of its first updated layer and the target outputs."""
        source, stage = self._source, self._stages[epoch]
        count, classes = source.params.images_per_class * len(self._profile.classes), self._profile.classes
        rows, seen = source.drawn(self._profile, count, self._stream("images", *classes, epoch))
        self._seen += seen
        self._begin = min(number for number, layer in enumerate(source.layers) if layer.group in stage.updated)
        self._taken = self._passed(rows)
        wanted = torch.from_numpy(source.outputs[rows][:, list(classes)].astype(np.float32))
        self._wanted = wanted.to(self._taken.device).softmax(dim=1)

    def new_optimizer(self, epoch: int) -> torch.optim.Optimizer:
        """Return the Adam of what the stage updates; the rest has no gradient."""
        return adam(self.network.parameters(), self._stages[epoch].learning_rate)

    def loss(self, batch: slice, epoch: int) -> Tensor:
        """Return the cross-entropy to what the original says of the user's classes."""
        outputs = self.network(self._taken[batch], self._choice.form, self._begin)
        return functional.cross_entropy(outputs, self._wanted[batch])

    def learn(self, batch: slice, epoch: int, share: float) -> float:
        """Return one step; channels that are gone stay so."""
        found = super().learn(batch, epoch, share)
        if self._factors:
            masked(self.network, self._factors)
        return found

    def _passed(self, rows: IntArray) -> Tensor:
        """Return the input of the first updated layer for each image."""
        source, parts = self._source, np.array_split(rows, -(-len(rows) // _COMPUTED_TOGETHER))
        with torch.no_grad():
            found = [
                self.network(source.images.batch(source.pool, part), self._choice.form, 0, self._begin)
                for part in parts
            ]
        return torch.cat(found)


def pruned(
    source: Source, choice: Choice, profile: Profile, stream: Stream, stopped: Callable[[], bool]
) -> PrunedNetwork | None:
    """Return all stages; None where a stop was asked for between two updates."""
    learner = Pruner(source, choice, profile, stream)
    return learner.found if Course(learner).finish(stopped) else None
