"""A chain in torch, whole and in stages (odema-2024 equations 2.8 to 2.13).

Stage i owns a slice of every layer's channels, the most important first. Its part of layer j reads its own part of layer j - 1 and
those of earlier stages that are reused; nothing flows from a later stage to an earlier one. So the stages together are the network
with the weights of all other pairs of slices left out, and `merged` builds that network in one piece: with all features reused it
differs from the trained one by the weights from later slices to earlier ones, which fine-tuning has to make up for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.methods.map_and_conquer.problem.chain import Chain

if TYPE_CHECKING:
    import torch


def build(chain: Chain, seed: int) -> torch.nn.Module:
    """Return the chain with fresh weights: images `n x channels x height x width` to outputs before the softmax, `n x classes`."""
    import torch
    from torch import nn

    class Whole(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is optional: without it this is Any
        def __init__(self) -> None:
            super().__init__()
            widths = [chain.channels, *(layer.width for layer in chain.layers)]
            self.convolutions = nn.ModuleList(
                nn.Conv2d(read, layer.width, layer.kernel, layer.stride, layer.padding)
                for read, layer in zip(widths, chain.layers, strict=False)
            )
            for convolution in self.convolutions:  # He et al. 2015: torch's own draw learns several times slower
                nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
                nn.init.zeros_(convolution.bias)
            self.exit = nn.Linear(widths[-1], chain.classes)

        def forward(self, images: torch.Tensor) -> torch.Tensor:
            values = images
            for number, convolution in enumerate(self.convolutions):
                values = after(chain, number, convolution(values))
            return self.exit(values.mean(dim=(2, 3)))

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Whole()


def after(chain: Chain, number: int, values: Any) -> Any:
    """Return the activation and pooling after a convolution."""
    from torch.nn import functional

    layer = chain.layers[number]
    values = functional.relu(values) if layer.activated else values
    return functional.max_pool2d(values, layer.pooled) if layer.pooled > 1 else values


def reordered(whole: torch.nn.Module, order: list[IntArray]) -> None:
    """Permute the channels of every layer in place; outputs stay the same.

    Args:
        whole: made by `build`.
        order: order of each layer, the old numbers of its channels in their new places.
    """
    import torch

    convolutions: Any = whole.convolutions
    last: Any = whole.exit
    before: Any = slice(None)
    with torch.no_grad():
        for convolution, channels in zip(convolutions, order, strict=True):
            convolution.weight.copy_(convolution.weight[channels][:, before])
            convolution.bias.copy_(convolution.bias[channels])
            before = channels
        last.weight.copy_(last.weight[:, before])


def slices(chain: Chain, partition: IntArray) -> list[list[slice]]:
    """Return the channels of each stage in each layer, `[layer][stage]`: cut where the steps say, each stage at least one channel.

    Args:
        chain: the network.
        partition: steps, shape `M x n`.
    """
    found = []
    for layer, steps in zip(chain.layers, partition.T, strict=True):
        ends = np.round(np.cumsum(steps) / steps.sum() * layer.width).astype(int)
        for stage in range(
            len(ends)
        ):  # from the front so that every stage has one, then from the back so that none has too many
            ends[stage] = max(ends[stage], (ends[stage - 1] if stage else 0) + 1)
        ends = np.minimum(ends, layer.width - np.arange(len(ends))[::-1])
        found.append([slice(int(begin), int(end)) for begin, end in zip((0, *ends[:-1]), ends, strict=True)])
    return found


def in_stages(whole: torch.nn.Module, chain: Chain, partition: IntArray, reuse: BoolArray) -> torch.nn.Module:
    """Return the stages as a module: images to outputs of every stage, `n x M x classes`.

    Weights begin as those of the whole network.

    Args:
        whole: made by `build`, its channels in order of importance.
        chain: the network.
        partition: steps of each stage in each layer, shape `M x n`.
        reuse: shape `M x n`.
    """
    import torch
    from torch import nn

    cut, stages = slices(chain, partition), len(partition)
    convolutions: Any = whole.convolutions
    last: Any = whole.exit

    def read_by(stage: int, layer: int) -> list[int]:
        """Return the stages whose part of a layer a stage has."""
        return [each for each in range(stage) if reuse[each, layer]] + [stage]

    def columns(stage: int, layer: int) -> list[int]:
        owned = cut[layer]
        return [place for each in read_by(stage, layer) for place in range(owned[each].start, owned[each].stop)]

    class StageNetwork(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is optional: without it this is Any
        def __init__(self) -> None:
            super().__init__()
            self.parts = nn.ModuleList(
                nn.ModuleList(self._part(number, stage) for stage in range(stages))
                for number in range(len(chain.layers))
            )
            self.exits = nn.ModuleList(self._exit(stage) for stage in range(stages))

        def _part(self, number: int, stage: int) -> Any:
            layer, owned, given = chain.layers[number], cut[number][stage], convolutions[number]
            reads = columns(stage, number - 1) if number else list(range(chain.channels))
            part = nn.Conv2d(len(reads), owned.stop - owned.start, layer.kernel, layer.stride, layer.padding)
            with torch.no_grad():
                part.weight.copy_(given.weight[owned][:, reads])
                part.bias.copy_(given.bias[owned])
            return part

        def _exit(self, stage: int) -> Any:
            reads = columns(stage, len(chain.layers) - 1)
            own = nn.Linear(len(reads), chain.classes)
            with torch.no_grad():
                own.weight.copy_(last.weight[:, reads])
                own.bias.copy_(last.bias)
            return own

        def forward(self, images: torch.Tensor) -> torch.Tensor:
            has = [images] * stages
            for number, parts in enumerate(self.parts):
                made = [after(chain, number, part(one)) for part, one in zip(parts, has, strict=True)]
                has = [torch.cat([made[each] for each in read_by(stage, number)], dim=1) for stage in range(stages)]
            outputs = [own(one.mean(dim=(2, 3))) for own, one in zip(self.exits, has, strict=True)]
            return torch.stack(outputs, dim=1)

    return StageNetwork()


def merged(staged: torch.nn.Module, chain: Chain, partition: IntArray, reuse: BoolArray) -> torch.nn.Module:
    """Return the network in one piece whose outputs are those of the last stage: weights of slices that nobody reads are 0."""
    import torch

    whole = build(chain, seed=0)
    cut = slices(chain, partition)
    parts: Any = staged.parts
    exits: Any = staged.exits
    convolutions: Any = whole.convolutions
    last: Any = whole.exit

    def columns(stage: int, layer: int) -> list[int]:
        reads = [each for each in range(stage) if reuse[each, layer]] + [stage]
        return [place for each in reads for place in range(cut[layer][each].start, cut[layer][each].stop)]

    with torch.no_grad():
        for number, convolution in enumerate(convolutions):
            convolution.weight.zero_()
            for stage, part in enumerate(parts[number]):
                owned = cut[number][stage]
                reads = columns(stage, number - 1) if number else list(range(chain.channels))
                rows = torch.arange(owned.start, owned.stop)[:, None]
                convolution.weight[rows, torch.tensor(reads)[None]] = part.weight
                convolution.bias[owned] = part.bias
        last.weight.zero_()
        last.weight[:, columns(len(cut[0]) - 1, len(chain.layers) - 1)] = exits[-1].weight
        last.bias.copy_(exits[-1].bias)
    return whole
