"""Pruning of the original for a user, stage after stage, by torch. Imported only where torch is needed.

The original's own outputs are the truth that is learnt (goyal-2023 section 4.3.2.1); images that it takes for no class of the user
are left out. Bottom-up the layers above the pruned block are the original's and are computed once per stage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from safetensors.torch import load, save
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.data.data_set import Split
from engines.data.torch_images import Images
from engines.methods.myml.block_floating_point import BlockFormat
from engines.methods.myml.choices import Choice, kept_channels
from engines.methods.myml.layers import Layer
from engines.methods.myml.network import Blocks, lowest_removed, masked
from engines.methods.myml.params import MymlParams
from engines.methods.myml.stages import Stage, stages_of
from engines.methods.myml.user import Profile

_DRAWN_AT_ONCE, _MOST_DRAWS = 4, 1000
_COMPUTED_TOGETHER = 256


@dataclass(frozen=True, eq=False)
class Pruned:
    """A network for some classes.

    Attributes:
        classes: labels that its outputs stand for.
        network: with zero channels.
        masks: of each layer, `filters x channels`.
        images_seen: that the user had to bring for as many as were learnt from.
    """

    classes: tuple[int, ...]
    network: Blocks
    masks: tuple[BoolArray, ...]
    form: BlockFormat | None
    images_seen: int

    def state(self) -> bytes:
        """Weights and masks as safetensors."""
        held = {
            f"weights.{name}": value.detach().cpu().contiguous() for name, value in self.network.state_dict().items()
        }
        held |= {f"mask.{number}": torch.from_numpy(mask.astype(np.uint8)) for number, mask in enumerate(self.masks)}
        return bytes(save({**held, "images_seen": torch.tensor(self.images_seen)}))


@dataclass(frozen=True, eq=False)
class Source:
    """What a network is pruned from.

    Attributes:
        network: the original.
        layers: its layers.
        images: reads examples.
        pool: the user's images.
        outputs: of the original for them, `n x classes`.
    """

    params: MymlParams
    network: Blocks
    layers: tuple[Layer, ...]
    images: Images
    pool: Split
    outputs: FloatArray

    def blank(self, classes: tuple[int, ...]) -> Blocks:
        """The original with the outputs of these classes alone."""
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

    def restored(self, choice: Choice, classes: tuple[int, ...], state: bytes) -> Pruned:
        """Of what `Pruned.state` kept."""
        held = load(state)
        network = self.blank(classes)
        network.load_state_dict(
            {name.removeprefix("weights."): value for name, value in held.items() if name.startswith("weights.")}
        )
        masks = tuple(held[f"mask.{number}"].numpy().astype(bool) for number in range(len(self.layers)))
        return Pruned(classes, network, masks, choice.form, int(held["images_seen"]))

    def drawn(self, profile: Profile, count: int, random: np.random.Generator) -> tuple[IntArray, int]:
        """Rows of the pool of images that the original takes for a class of the profile, and how many had to come."""
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


def pruned(
    source: Source,
    choice: Choice,
    profile: Profile,
    stream: Callable[..., np.random.Generator],
    stopped: Callable[[], bool],
) -> Pruned | None:
    """All stages; None where a stop was asked for between two updates.

    Args:
        source: the original and the user's images.
        choice: how.
        profile: classes and how often each comes; for a user-agnostic network all.
        stream: random numbers by name: those of the images follow from classes and stage.
        stopped: whether a stop was asked for.
    """
    params, classes = source.params, profile.classes
    network = source.blank(classes)
    masks = [np.ones((part.weight.shape[0], part.weight.shape[1]), dtype=bool) for part in network.parts]
    count, seen = params.images_per_class * len(classes), 0
    for number, stage in enumerate(stages_of(choice, params.extra_epochs)):
        _take_away(source, network, masks, stage, choice)
        rows, drawn = source.drawn(profile, count, stream("images", *classes, number))
        seen += drawn
        if not _epoch(source, network, masks, stage, choice, rows, classes, stopped):
            return None
    return Pruned(classes, network, tuple(masks), choice.form, seen)


def _take_away(source: Source, network: Blocks, masks: list[BoolArray], stage: Stage, choice: Choice) -> None:
    for number, layer in enumerate(source.layers):
        if layer.group in stage.pruned and not layer.first:
            left = kept_channels(layer.channels, choice.rates[layer.group - 1])
            asymmetric = choice.granularity == "asymmetric"
            masks[number] = lowest_removed(network, number, left, asymmetric, source.params.criterion)
    masked(network, masks)


def _epoch(
    source: Source, network: Blocks, masks: list[BoolArray], stage: Stage, choice: Choice, rows: IntArray,
    classes: tuple[int, ...], stopped: Callable[[], bool],
) -> bool:  # fmt: skip
    updated = [number for number, layer in enumerate(source.layers) if layer.group in stage.updated]
    begin = updated[0]  # what comes before changes neither now nor later in this stage
    for number, part in enumerate(network.parts):
        part.requires_grad_(number in updated)
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=stage.learning_rate)
    taken = _taken(source, network, choice.form, rows, begin)
    device = taken.device
    wanted = torch.from_numpy(source.outputs[rows][:, list(classes)].astype(np.float32)).to(device).softmax(dim=1)
    for at in range(0, len(rows), choice.batch):
        if stopped():
            return False
        part = slice(at, at + choice.batch)
        outputs = network(taken[part], choice.form, begin)
        loss = functional.cross_entropy(outputs, wanted[part])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        masked(network, masks)
    return True


def _taken(source: Source, network: Blocks, form: BlockFormat | None, rows: IntArray, begin: int) -> Tensor:
    """What the first updated layer takes of each image."""
    parts = [rows[at : at + _COMPUTED_TOGETHER] for at in range(0, len(rows), _COMPUTED_TOGETHER)]
    with torch.no_grad():
        return torch.cat([network(source.images.batch(source.pool, part), form, 0, begin) for part in parts])
