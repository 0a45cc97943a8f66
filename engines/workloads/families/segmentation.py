"""Semantic segmentation: FCN, DeepLab v3 and v3+, DDRNet-23-slim and PIDNet-S.

Sources: FCN and DeepLab v3 from torchvision `segmentation` (BSD-3-Clause), without the auxiliary head of training. DeepLab v3+ from
arXiv 1802.02611 and jfzhang95/pytorch-deeplab-xception (MIT), on a map of 1/16 of the sides. DDRNet from arXiv 2101.06085 and
ydhongHIT/DDRNet (MIT). PIDNet from arXiv 2206.02066 and XuJiacong/PIDNet (MIT). Classes: 21 (Pascal VOC) or 19 (Cityscapes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.mobile_classifiers import draw_mobilenet_v2
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.residual import ResidualStages, draw_residual

_VOC, _CITYSCAPES = 21, 19
# Window and stride of the poolings of a pyramid; 0: over the whole map.
_POOLINGS = ((5, 2), (9, 4), (17, 8), (0, 0))


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of all networks."""
    of_50, of_101 = (ResidualStages(depths, dilated=2) for depths in ((3, 4, 6, 3), (3, 4, 23, 3)))
    voc, city = "520x520", "1024x2048"
    torchvision = "torchvision segmentation (BSD-3-Clause)"
    xception = "arXiv 1802.02611; jfzhang95/pytorch-deeplab-xception (MIT)"
    entries: tuple[tuple[str, str, str, str, str, Callable[[], list[Row]]], ...] = (
        ("fcn-resnet50", "FCN ResNet-50", "FCN R50", voc, torchvision, partial(fcn, of_50)),
        ("deeplab-v3-resnet50", "DeepLab v3 ResNet-50", "DLv3 R50", voc, torchvision, partial(deeplab_v3, of_50)),
        ("deeplab-v3-resnet101", "DeepLab v3 ResNet-101", "DLv3 R101", voc, torchvision, partial(deeplab_v3, of_101)),
        (
            "deeplab-v3-plus-mobilenet-v2",
            "DeepLab v3+ MobileNet v2",
            "DLv3+ MobV2",
            "513x513",
            xception,
            deeplab_v3_plus,
        ),
        (
            "ddrnet-23-slim",
            "DDRNet-23-slim",
            "DDRNet-23-s",
            city,
            "arXiv 2101.06085; ydhongHIT/DDRNet (MIT)",
            ddrnet_23_slim,
        ),
        ("pidnet-s", "PIDNet-S", "PIDNet-S", city, "arXiv 2206.02066; XuJiacong/PIDNet (MIT)", pidnet_s),
    )
    for slug, title, short, size, source, draw in entries:
        summary = f"Semantic segmentation, {size}x3, {_CITYSCAPES if size == city else _VOC} classes."
        yield drawn_network(slug, f"{title}, {size}", short, summary, f"{source}; drawn from the definition", draw)


def fcn(stages: ResidualStages) -> list[Row]:
    """Return the FCN for 520x520 inputs on a ResNet that divides sides by 8."""
    drawing = Drawing((3, 520, 520))
    draw_residual(drawing, stages)
    drawing.conv("head.conv", 512, 3)
    drawing.conv("head.classes", _VOC, norm=False, act=False)
    drawing.resize("resize", 520, 520)
    return drawing.rows


def deeplab_v3(stages: ResidualStages) -> list[Row]:
    """Return the DeepLab v3 for 520x520 inputs on a ResNet that divides sides by 8."""
    drawing = Drawing((3, 520, 520))
    draw_residual(drawing, stages)
    _atrous_pyramid(drawing, (12, 24, 36))
    drawing.conv("head.conv", 256, 3)
    drawing.conv("head.classes", _VOC, norm=False, act=False)
    drawing.resize("resize", 520, 520)
    return drawing.rows


def deeplab_v3_plus() -> list[Row]:
    """Return the DeepLab v3+ for 513x513 inputs on a MobileNet v2 that divides sides by 16, with a decoder."""
    drawing = Drawing((3, 513, 513))
    fine = draw_mobilenet_v2(drawing, dilated=True)[2]
    _atrous_pyramid(drawing, (6, 12, 18))
    coarse = drawing.feature
    drawing.branch(fine)
    drawing.conv("decoder.fine", 48)
    fine = drawing.feature
    drawing.branch(coarse)
    drawing.resize("decoder.resize", *fine[1][1:])
    drawing.join("decoder.concat", drawing.feature, fine)
    drawing.conv("decoder.conv1", 256, 3)
    drawing.conv("decoder.conv2", 256, 3)
    drawing.conv("decoder.classes", _VOC, norm=False, act=False)
    drawing.resize("resize", 513, 513)
    return drawing.rows


def _atrous_pyramid(drawing: Drawing, dilations: Sequence[int]) -> None:
    """Add branches of dilated convolutions and the mean of the map, and what joins them to 256 channels."""
    entry, (_, height, width) = drawing.feature, drawing.shape
    drawing.conv("pyramid.pointwise", 256)
    parts = [drawing.feature]
    for dilation in dilations:
        drawing.branch(entry)
        drawing.conv(f"pyramid.dilated{dilation}", 256, 3, dilation=dilation)
        parts.append(drawing.feature)
    drawing.branch(entry)
    drawing.pool_to("pyramid.mean")
    drawing.conv("pyramid.mean.conv", 256)
    drawing.resize("pyramid.mean.resize", height, width)
    drawing.join("pyramid.concat", *parts, drawing.feature)
    drawing.conv("pyramid.project", 256)


def _stem(width: int) -> Drawing:
    """Return the stem of DDRNet and PIDNet: two convolutions of stride 2 and two layers, down to an eighth of the side."""
    drawing = Drawing((3, 1024, 2048))
    for layer in (1, 2):
        drawing.conv(f"stem{layer}", width, 3, stride=2, bias=True)
    _basic_blocks(drawing, "layer1", width, 2)
    drawing.act("layer1.act")
    _basic_blocks(drawing, "layer2", 2 * width, 2, stride=2)
    drawing.act("layer2.act")
    return drawing


def ddrnet_23_slim() -> list[Row]:
    """Return the DDRNet-23-slim for 1024x2048 inputs: a fine and a coarse branch that exchange their maps twice."""
    width = 32
    drawing = _stem(width)
    entry = drawing.feature
    _basic_blocks(drawing, "layer3", 4 * width, 2, stride=2)
    coarse = drawing.feature
    fine = _basic_branch(drawing, "fine3", entry, 2 * width)
    fine, coarse = _exchange(drawing, "exchange3", fine, coarse, steps=1)
    coarse = _continued(drawing, "layer4", coarse, 8 * width)
    fine = _basic_branch(drawing, "fine4", fine, 2 * width, activated=True)
    fine, coarse = _exchange(drawing, "exchange4", fine, coarse, steps=2)
    drawing.branch(fine)
    drawing.act("fine5.act")
    _bottleneck(drawing, "fine5", 2 * width)
    fine = drawing.feature
    drawing.branch(coarse)
    drawing.act("layer5.act")
    _bottleneck(drawing, "layer5", 8 * width, stride=2)
    _aggregation(drawing, 128, 4 * width, joint=False)
    drawing.resize("context.resize", *fine[1][1:])
    drawing.sum("add", drawing.feature, fine)
    _segmentation_head(drawing, 64)
    return drawing.rows


def _continued(drawing: Drawing, name: str, entry: Feature, width: int) -> Feature:
    drawing.branch(entry)
    drawing.act(f"{name}.entry")
    _basic_blocks(drawing, name, width, 2, stride=2)
    return drawing.feature


def _exchange(drawing: Drawing, name: str, fine: Feature, coarse: Feature, steps: int) -> tuple[Feature, Feature]:
    """Add the fine map to the coarse one in `steps` reductions, and the coarse one, enlarged, to the fine one."""
    drawing.branch(fine)
    drawing.act(f"{name}.fine.act")
    for step in range(steps, 0, -1):
        drawing.conv(f"{name}.reduce{step}", coarse[1][0] // 2 ** (step - 1), 3, stride=2, act=step > 1)
    drawing.sum(f"{name}.coarse", coarse, drawing.feature)
    mixed = drawing.feature
    drawing.branch(coarse)
    drawing.act(f"{name}.coarse.act")
    drawing.conv(f"{name}.compress", fine[1][0], act=False)
    drawing.resize(f"{name}.resize", *fine[1][1:])
    drawing.sum(f"{name}.fine", fine, drawing.feature)
    return drawing.feature, mixed


def pidnet_s() -> list[Row]:
    """Return the PIDNet-S for 1024x2048 inputs: branches for detail, context and borders."""
    width = 32
    drawing = _stem(width)
    entry = drawing.feature
    detail = _basic_branch(drawing, "detail3", entry, 2 * width)
    border = _border(drawing, "border3", entry, width)
    for number, channels in ((3, 4 * width), (4, 8 * width)):
        drawing.branch(entry)
        _basic_blocks(drawing, f"layer{number}", channels, 3, stride=2)
        drawing.act(f"layer{number}.act")
        entry = drawing.feature
        if number == 4:
            detail = _basic_branch(drawing, "detail4", detail, 2 * width, activated=True)
            border = _bottleneck_branch(drawing, "border4", border, width)
        detail = _guided(drawing, f"guide{number}", detail, entry, width)
        drawing.branch(entry)
        drawing.conv(f"difference{number}", border[1][0], 3, act=False)
        drawing.resize(f"difference{number}.resize", *border[1][1:])
        drawing.sum(f"difference{number}.add", border, drawing.feature)
        border = drawing.feature
    detail = _bottleneck_branch(drawing, "detail5", detail, 2 * width)
    border = _bottleneck_branch(drawing, "border5", border, 2 * width)
    drawing.branch(entry)
    for block in range(2):
        _bottleneck(drawing, f"layer5.{block}", 8 * width, stride=2 if block == 0 else 1)
    _aggregation(drawing, 96, 4 * width, joint=True)
    drawing.resize("context.resize", *detail[1][1:])
    _balanced_sum(drawing, detail, drawing.feature, border)
    _segmentation_head(drawing, 128)
    return drawing.rows


def _balanced_sum(drawing: Drawing, detail: Feature, context: Feature, border: Feature) -> None:
    """Add the sum of detail and context, of which the border map says where which counts."""
    drawing.branch(border)
    drawing.act("balance.sigmoid")
    weights = drawing.feature
    drawing.sum("balance.detail", context, weights, detail)
    drawing.conv("balance.detail.conv", detail[1][0], act=False)
    first = drawing.feature
    drawing.sum("balance.context", detail, weights, context)
    drawing.conv("balance.context.conv", detail[1][0], act=False)
    drawing.sum("balance.add", first, drawing.feature)


def _guided(drawing: Drawing, name: str, detail: Feature, context: Feature, width: int) -> Feature:
    """Add the context to the detail where both are alike: the product of two projections is the weight of each pixel."""
    drawing.branch(context)
    drawing.conv(f"{name}.compress", detail[1][0], act=False)
    coarse = drawing.feature
    drawing.conv(f"{name}.coarse", width, act=False)
    drawing.resize(f"{name}.coarse.resize", *detail[1][1:])
    projected = drawing.feature
    drawing.branch(detail)
    drawing.conv(f"{name}.fine", width, act=False)
    drawing.sum(f"{name}.product", drawing.feature, projected)
    places = drawing.places
    drawing.moved(f"{name}.sum", "reduce", written=places)
    drawing.shape = (1, *drawing.shape[1:])
    drawing.act(f"{name}.sigmoid")
    weights = drawing.feature
    drawing.branch(coarse)
    drawing.resize(f"{name}.resize", *detail[1][1:])
    drawing.sum(f"{name}.add", detail, drawing.feature, weights)
    return drawing.feature


def _basic_branch(drawing: Drawing, name: str, entry: Feature, width: int, activated: bool = False) -> Feature:
    drawing.branch(entry)
    if activated:
        drawing.act(f"{name}.entry")
    _basic_blocks(drawing, name, width, 2)
    return drawing.feature


def _bottleneck_branch(drawing: Drawing, name: str, entry: Feature, width: int) -> Feature:
    drawing.branch(entry)
    drawing.act(f"{name}.entry")
    _bottleneck(drawing, name, width)
    return drawing.feature


def _border(drawing: Drawing, name: str, entry: Feature, width: int) -> Feature:
    drawing.branch(entry)
    _basic_blocks(drawing, name, width, 1)
    return drawing.feature


def _basic_blocks(drawing: Drawing, name: str, width: int, depth: int, stride: int = 1) -> None:
    """Add residual blocks of two 3x3 convolutions; no activation follows the last one."""
    for block in range(depth):
        entry, each = drawing.feature, stride if block == 0 else 1
        drawing.conv(f"{name}.{block}.conv1", width, 3, stride=each)
        drawing.conv(f"{name}.{block}.conv2", width, 3, act=False)
        _shortcut(drawing, f"{name}.{block}", entry, each)
        if block < depth - 1:
            drawing.act(f"{name}.{block}.act")


def _bottleneck(drawing: Drawing, name: str, width: int, stride: int = 1) -> None:
    entry = drawing.feature
    drawing.conv(f"{name}.conv1", width)
    drawing.conv(f"{name}.conv2", width, 3, stride=stride)
    drawing.conv(f"{name}.conv3", 2 * width, act=False)
    _shortcut(drawing, name, entry, stride)


def _shortcut(drawing: Drawing, name: str, entry: Feature, stride: int) -> None:
    main = drawing.feature
    if entry[1] != main[1]:
        drawing.branch(entry)
        drawing.conv(f"{name}.downsample", main[1][0], stride=stride, act=False)
        entry = drawing.feature
    drawing.sum(f"{name}.add", main, entry)


def _aggregation(drawing: Drawing, width: int, output: int, joint: bool) -> None:
    """Add the pyramid of poolings: branches filtered one after the other, or together by one grouped convolution if `joint`."""
    entry = drawing.feature
    parts = [_activated_conv(drawing, "context.scale0", entry, width)]
    for number, (window, stride) in enumerate(_POOLINGS, start=1):
        name = f"context.scale{number}"
        drawing.branch(entry)
        if window:
            drawing.pool(f"{name}.pool", window, stride, pad=window // 2)
        else:
            drawing.pool_to(f"{name}.pool")
        _activated_conv(drawing, name, drawing.feature, width)
        drawing.resize(f"{name}.resize", *entry[1][1:])
        drawing.sum(f"{name}.add", drawing.feature, parts[0] if joint else parts[-1])
        if joint:
            parts.append(drawing.feature)
        else:
            parts.append(_activated_conv(drawing, f"{name}.process", drawing.feature, width, kernel=3))
    if joint:
        drawing.join("context.scales", *parts[1:])
        joined = drawing.feature
        parts = [parts[0], _activated_conv(drawing, "context.process", joined, 4 * width, kernel=3, groups=4)]
    drawing.join("context.concat", *parts)
    compressed = _activated_conv(drawing, "context.compress", drawing.feature, output)
    shortcut = _activated_conv(drawing, "context.shortcut", entry, output)
    drawing.sum("context.add", compressed, shortcut)


def _activated_conv(
    drawing: Drawing, name: str, entry: Feature, width: int, kernel: int = 1, groups: int = 1
) -> Feature:
    """Add normalisation and activation before a convolution; return its result."""
    drawing.branch(entry)
    drawing.norm(f"{name}:norm", kind="batchnorm")
    drawing.act(f"{name}:act")
    drawing.conv(f"{name}.conv", width, kernel, groups=groups, norm=False, bias=False, act=False)
    return drawing.feature


def _segmentation_head(drawing: Drawing, width: int) -> None:
    _activated_conv(drawing, "head", drawing.feature, width, kernel=3)
    drawing.norm("head.classes:norm", kind="batchnorm")
    drawing.act("head.classes:act")
    drawing.conv("head.classes", _CITYSCAPES, norm=False, act=False)
