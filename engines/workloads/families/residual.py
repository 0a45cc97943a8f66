"""ResNet, ResNeXt, Wide ResNet and RegNet (torchvision 0.15.2 `resnet.py`, `regnet.py`), 224x224 but for `side`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from engines.workloads.families.network_builder import Drawing, Feature, Row, divisible

_RESNET_WIDTHS = (64, 128, 256, 512)
_EXPANSION = 4


@dataclass(frozen=True)
class ResidualStages:
    """The stages of a ResNet after its stem.

    Attributes:
        depths: blocks of each stage.
        bottleneck: 1x1, 3x3, 1x1 convolutions in a block instead of two 3x3.
        groups: groups of the 3x3 convolution of a bottleneck (ResNeXt).
        base_width: base width of one group at 64 channels (ResNeXt, Wide ResNet).
        dilated: how many of the last stages keep the size of their input and dilate their 3x3 convolutions instead.
        dilates: whether 3x3 convolutions of stages that keep the size are dilated at all.
        pooled: whether shortcuts that halve the sides begin with a pooling, and the first shortcut has a convolution (ResNet-D).
    """

    depths: Sequence[int]
    bottleneck: bool = True
    groups: int = 1
    base_width: int = 64
    dilated: int = 0
    pooled: bool = False
    dilates: bool = True


def resnet(depths: Sequence[int], *, bottleneck: bool = True, groups: int = 1, base_width: int = 64) -> list[Row]:
    """Return the classifier with stages as in `ResidualStages`."""
    drawing = Drawing((3, 224, 224))
    draw_residual(drawing, ResidualStages(depths, bottleneck, groups, base_width))
    drawing.classify("fc")
    return drawing.rows


def draw_residual(drawing: Drawing, stages: ResidualStages) -> list[Feature]:
    """Add stem and stages; return what each stage gives out."""
    if stages.pooled:
        drawing.conv("stem1", 32, 3, stride=2)
        drawing.conv("stem2", 32, 3)
        drawing.conv("stem3", 64, 3)
    else:
        drawing.conv("conv1", 64, 7, stride=2)
    drawing.pool("maxpool", 3, 2, pad=1)
    found, dilation = [], 1
    for stage, (depth, width) in enumerate(zip(stages.depths, _RESNET_WIDTHS, strict=False), start=1):
        keeps = stage == 1 or stage > len(stages.depths) - stages.dilated
        for block in range(depth):
            stride = 2 if block == 0 and not keeps else 1
            _residual_block(drawing, f"layer{stage}.{block}", width, stride, dilation, stages)
            if block == 0 and stage > 1 and keeps and stages.dilates:
                dilation *= 2
        found.append(drawing.feature)
    return found


def _residual_block(
    drawing: Drawing, name: str, width: int, stride: int, dilation: int, stages: ResidualStages
) -> None:
    before, entry = drawing.shape, drawing.last
    if stages.bottleneck:
        inner = width * stages.base_width // 64 * stages.groups
        drawing.conv(f"{name}.conv1", inner)
        drawing.conv(f"{name}.conv2", inner, 3, stride=stride, groups=stages.groups, dilation=dilation)
        drawing.conv(f"{name}.conv3", width * _EXPANSION, act=False)
    else:
        drawing.conv(f"{name}.conv1", width, 3, stride=stride)
        drawing.conv(f"{name}.conv2", width, 3, act=False)
    _joined(drawing, name, before, entry, stride, stages.pooled and name == "layer1.0", stages.pooled)


def _joined(
    drawing: Drawing,
    name: str,
    before: tuple[int, int, int],
    entry: int,
    stride: int,
    convolves: bool = False,
    pooled: bool = False,
) -> None:
    """Add the shortcut from the row `entry`, a convolution where the shape changes or it `convolves`, and the sum."""
    main, shortcut = drawing.last, entry
    if before != drawing.shape or convolves:
        after, drawing.shape = drawing.shape, before
        drawing.reading(entry)
        if pooled and stride == 2:
            drawing.pool(f"{name}.downsample.pool", 2, 2)
            stride = 1
        drawing.conv(f"{name}.downsample", after[0], stride=stride, act=False)
        shortcut = drawing.last
    drawing.reading(main, shortcut)
    drawing.add(f"{name}.add")
    drawing.act(f"{name}.act")


@dataclass(frozen=True)
class RegNetSpace:
    """A point of the design space of RegNet (Radosavovic et al. 2020, section 3.3).

    Attributes:
        depth: blocks.
        initial_width, slope, step: of the widths: `initial_width + slope * block`, then powers of `step`.
        group_width: channels of one group.
        squeeze: whether blocks have squeeze and excitation (RegNetY).
    """

    depth: int
    initial_width: int
    slope: float
    step: float
    group_width: int
    squeeze: bool = False

    def stages(self) -> list[tuple[int, int, int]]:
        """Return width, depth and group width of each stage."""
        powers = (
            round(math.log((self.initial_width + self.slope * block) / self.initial_width) / math.log(self.step))
            for block in range(self.depth)
        )
        widths = [round(self.initial_width * self.step**power / 8) * 8 for power in powers]
        stages = [(width, len(list(blocks))) for width, blocks in groupby(widths)]
        grouped = [(width, depth, min(self.group_width, width)) for width, depth in stages]
        return [(divisible(width, group), depth, group) for width, depth, group in grouped]


def regnet(space: RegNetSpace, side: int = 224) -> list[Row]:
    """Return the network of a point of the space, of `side` x `side` inputs."""
    drawing = Drawing((3, side, side))
    drawing.conv("stem", 32, 3, stride=2)
    for stage, (width, depth, group_width) in enumerate(space.stages(), start=1):
        for block in range(depth):
            stride = 2 if block == 0 else 1
            _regnet_block(drawing, f"block{stage}-{block}", width, stride, width // group_width, space.squeeze)
    drawing.classify("fc")
    return drawing.rows


def _regnet_block(drawing: Drawing, name: str, width: int, stride: int, groups: int, squeeze: bool) -> None:
    before, entry = drawing.shape, drawing.last
    drawing.conv(f"{name}.a", width)
    drawing.conv(f"{name}.b", width, 3, stride=stride, groups=groups)
    if squeeze:
        drawing.squeeze_excitation(f"{name}.se", round(before[0] / 4))
    drawing.conv(f"{name}.c", width, act=False)
    _joined(drawing, name, before, entry, stride)
