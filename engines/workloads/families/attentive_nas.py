"""Networks of the AttentiveNAS space from their configuration.

Source: facebookresearch/AttentiveNAS at c4c16f1, `configs/eval_attentive_nas_models.yml` (the space and A0 to A6) and
`models/modules`. The main branch of a block comes first, its shortcut after it; shortcuts between equal widths are no operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.workloads.errors import WorkloadError
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Row, divisible

RESOLUTIONS = (192, 224, 256, 288)
_HEAD_RATIO = 6


@dataclass(frozen=True)
class Stage:
    """The choices of the space in one of its seven stages."""

    widths: tuple[int, ...]
    depths: tuple[int, ...]
    expansions: tuple[int, ...]
    stride: int
    squeezes: bool


STAGES = (
    Stage((16, 24), (1, 2), (1,), 1, False),
    Stage((24, 32), (3, 4, 5), (4, 5, 6), 2, False),
    Stage((32, 40), (3, 4, 5, 6), (4, 5, 6), 2, True),
    Stage((64, 72), (3, 4, 5, 6), (4, 5, 6), 2, False),
    Stage((112, 120, 128), (3, 4, 5, 6, 7, 8), (4, 5, 6), 1, True),
    Stage((192, 200, 208, 216), (3, 4, 5, 6, 7, 8), (6,), 2, True),
    Stage((216, 224), (1, 2), (6,), 1, True),
)
FIRST_WIDTHS, LAST_WIDTHS, KERNELS = (16, 24), (1792, 1984), (3, 5)


@dataclass(frozen=True)
class AttentiveSubnet:
    """A point of the space, in the keys of the configuration file.

    Attributes:
        resolution: side of the input, one of `RESOLUTIONS`.
        width: channels of the first convolution, of each of the seven stages, of the last convolution.
        depth: blocks of each stage.
        kernel_size: 3 or 5 in each stage.
        expand_ratio: expand ratio of the blocks of each stage.
    """

    resolution: int
    width: Sequence[int]
    depth: Sequence[int]
    kernel_size: Sequence[int]
    expand_ratio: Sequence[int]

    def check(self) -> None:
        """Refuse what is not in the space.

        Raises:
            WorkloadError: names the key, the value got and the values accepted.
        """
        _among("resolution", self.resolution, RESOLUTIONS)
        for name, count in (("width", len(STAGES) + 2), *((key, len(STAGES)) for key in _PER_STAGE)):
            values = getattr(self, name)
            if len(values) != count:
                raise WorkloadError(name, list(values), f"{count} numbers")
        _among("width.0", self.width[0], FIRST_WIDTHS)
        _among(f"width.{len(STAGES) + 1}", self.width[-1], LAST_WIDTHS)
        for index, stage in enumerate(STAGES):
            _among(f"width.{index + 1}", self.width[index + 1], stage.widths)
            _among(f"depth.{index}", self.depth[index], stage.depths)
            _among(f"kernel_size.{index}", self.kernel_size[index], KERNELS)
            _among(f"expand_ratio.{index}", self.expand_ratio[index], stage.expansions)


_PER_STAGE = ("depth", "kernel_size", "expand_ratio")


def attentivenas(subnet: AttentiveSubnet) -> list[Row]:
    """Return the network of a point of the space.

    Raises:
        WorkloadError: as `AttentiveSubnet.check`.
    """
    subnet.check()
    drawing = Drawing((3, subnet.resolution, subnet.resolution))
    drawing.conv("first_conv", subnet.width[0], 3, stride=2, act=False)
    _swish(drawing, "first_conv")
    for index, stage in enumerate(STAGES):
        for block in range(subnet.depth[index]):
            name = f"stage{index + 1}.{block}"
            _block(drawing, name, subnet, index, stage.stride if block == 0 else 1)
    drawing.conv("last_conv.expand", _HEAD_RATIO * drawing.channels, act=False)
    _swish(drawing, "last_conv.expand")
    drawing.pool_to("last_conv.mean")
    drawing.conv("last_conv", subnet.width[-1], norm=False, bias=False, act=False)
    _swish(drawing, "last_conv")
    drawing.linear("classifier", 1000, bias=False)
    drawing.add("classifier.bias", weights=drawing.size)
    return drawing.rows


def attentivenas_network(slug: str, title: str, short_title: str, subnet: AttentiveSubnet) -> LazyNetwork:
    """Return the network document of one subnet of the space, to be stored or put into a scenario.

    Raises:
        WorkloadError: as `AttentiveSubnet.check`.
    """
    subnet.check()
    side = subnet.resolution
    source = "facebookresearch/AttentiveNAS at c4c16f1, a point of its search space; drawn from the configuration"
    summary = f"Image classification, {side}x{side}x3."
    return drawn_network(slug, title, short_title, summary, source, lambda: attentivenas(subnet))


def _block(drawing: Drawing, name: str, subnet: AttentiveSubnet, index: int, stride: int) -> None:
    before, entry, kernel = drawing.shape, drawing.last, subnet.kernel_size[index]
    expanded = divisible(before[0] * subnet.expand_ratio[index])
    if subnet.expand_ratio[index] > 1:
        drawing.conv(f"{name}.expand", expanded, act=False)
        _swish(drawing, f"{name}.expand")
    drawing.conv(f"{name}.depthwise", expanded, kernel, stride=stride, groups=expanded, act=False)
    _swish(drawing, f"{name}.depthwise")
    if STAGES[index].squeezes:
        _squeeze_excitation(drawing, f"{name}.se", divisible(expanded // 4))
    drawing.conv(f"{name}.project", subnet.width[index + 1], act=False)
    main = drawing.last
    shortcut = _shortcut(drawing, name, before, entry, stride)
    drawing.reading(main, shortcut)
    drawing.add(f"{name}.add")


def _shortcut(drawing: Drawing, name: str, before: tuple[int, int, int], entry: int, stride: int) -> int:
    """Return the row that gives out what is added to the main branch: `entry` where the shape stays."""
    after = drawing.shape
    if before == after:
        return entry
    drawing.shape = before
    drawing.reading(entry)
    if stride > 1:
        drawing.pool(f"{name}.shortcut.pool", stride, stride)
    if before[0] != after[0]:
        drawing.conv(f"{name}.shortcut", after[0], norm=False, bias=False, act=False)
    drawing.shape = after
    return drawing.last


def _swish(drawing: Drawing, name: str) -> None:
    """Add Swish: the map times its sigmoid, written out."""
    entry = drawing.last
    drawing.act(f"{name}:sigmoid")
    drawing.add_to(f"{name}:multiply", entry)


def _squeeze_excitation(drawing: Drawing, name: str, squeezed: int) -> None:
    """Add means over the columns, then over the rows; two convolutions; scale."""
    channels, height, _ = shape = drawing.shape
    scaled = drawing.last
    drawing.moved(f"{name}.columns", "pool", written=channels * height)
    drawing.shape = (channels, height, 1)
    drawing.pool_to(f"{name}.mean")
    drawing.conv(f"{name}.reduce", squeezed, norm=False)
    drawing.conv(f"{name}.expand", channels, norm=False)
    drawing.shape = shape
    drawing.reading(scaled, drawing.last)
    drawing.moved(f"{name}.scale", "eltwise", read=drawing.size + channels)


def _among(key: str, got: int, accepted: Sequence[int]) -> None:
    if got not in accepted:
        raise WorkloadError(key, got, f"one of: {', '.join(map(str, accepted))}")
