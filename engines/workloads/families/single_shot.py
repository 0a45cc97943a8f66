"""Detectors with anchors: SSD on MobileNets and on ResNet-34, RetinaNet and EfficientDet.

Sources: SSD from arXiv 1512.02325. Its MobileNet forms from the TensorFlow object detection API (Apache-2.0). Its ResNet-34 form
for 1200x1200 from MLPerf Inference v0.5 (Apache-2.0). RetinaNet from torchvision `retinanet.py` (BSD-3-Clause), as MLPerf Inference
uses it. EfficientDet from arXiv 1911.09070 and effdet (Apache-2.0). Heads that all levels use have their weights once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.mobile import draw_efficientnet_b0
from engines.workloads.families.mobile_classifiers import draw_mobilenet_v1, draw_mobilenet_v2
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.residual import ResidualStages, draw_residual

_ANCHORS = 9
_CLASSES_WITH_BACKGROUND = 91
_BIFPN_WIDTH, _BIFPN_CELLS = 64, 3


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of the detectors."""
    tensorflow = "TensorFlow object detection API (Apache-2.0)"
    retinanet50 = ResidualStages((3, 4, 6, 3))
    retinanext50 = ResidualStages((3, 4, 6, 3), groups=32, base_width=4)
    torchvision = "torchvision retinanet (BSD-3-Clause)"
    entries: tuple[tuple[str, str, str, int, int, str, Callable[[], list[Row]]], ...] = (
        ("ssd-mobilenet-v1", "SSD MobileNet v1", "SSD MobV1", 300, 90, tensorflow, ssd_mobilenet_v1),
        ("ssdlite-mobilenet-v2", "SSDLite MobileNet v2", "SSDL MobV2", 300, 90, tensorflow, ssdlite_mobilenet_v2),
        ("ssd-resnet34", "SSD ResNet-34", "SSD R34", 1200, 80, "MLPerf Inference v0.5 (Apache-2.0)", ssd_resnet34),
        (
            "retinanet-resnet50",
            "RetinaNet ResNet-50",
            "RetinaNet 50",
            800,
            90,
            torchvision,
            partial(retinanet, retinanet50, 91),
        ),
        (
            "retinanet-resnext50",
            "RetinaNet ResNeXt-50 32x4d",
            "RetinaNeXt50",
            800,
            264,
            f"MLPerf Inference v3.0 (Apache-2.0); {torchvision}",
            partial(retinanet, retinanext50, 264),
        ),
        (
            "efficientdet-d0",
            "EfficientDet-D0",
            "EffDet-D0",
            512,
            90,
            "arXiv 1911.09070; effdet (Apache-2.0)",
            efficientdet_d0,
        ),
    )
    for slug, title, short, side, classes, source, draw in entries:
        summary = f"Object detection, {side}x{side}x3, {classes} classes."
        yield drawn_network(
            slug, f"{title}, {side}x{side}", short, summary, f"{source}; drawn from the definition", draw
        )


def ssd_mobilenet_v1() -> list[Row]:
    """Return the SSD for 300x300 inputs on two maps of a MobileNet v1 and four more; predictions by 1x1 convolutions."""
    drawing = Drawing((3, 300, 300))
    levels = [draw_mobilenet_v1(drawing)[10], drawing.feature]
    for number, width in enumerate((512, 256, 256, 128), start=1):
        drawing.conv(f"extra{number}.narrow", width // 2)
        drawing.conv(f"extra{number}.reduce", width, 3, stride=2)
        levels.append(drawing.feature)
    ends = []
    for number, (level, count) in enumerate(zip(levels, (3, 6, 6, 6, 6, 6), strict=True), start=1):
        for name, each in (("boxes", 4), ("classes", _CLASSES_WITH_BACKGROUND)):
            drawing.branch(level)
            drawing.conv(f"head{number}.{name}", count * each, norm=False, act=False)
            ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def ssdlite_mobilenet_v2() -> list[Row]:
    """Return the SSDLite for 300x300 inputs: as SSD, with separable convolutions in additional maps and predictions."""
    drawing = Drawing((3, 300, 300))
    blocks = draw_mobilenet_v2(drawing)
    drawing.conv("head", 1280)
    # The widened map of the first block with half of the sides.
    wide = next(number for number, row in enumerate(drawing.rows) if row["name"] == "stage6.0.expand:act")
    height, width = blocks[12][1][1:]
    levels = [(wide, (576, height, width)), drawing.feature]
    for number, channels in enumerate((512, 256, 256, 128), start=1):
        drawing.conv(f"extra{number}.narrow", channels // 2)
        drawing.conv(f"extra{number}.depthwise", channels // 2, 3, stride=2, groups=channels // 2)
        drawing.conv(f"extra{number}.pointwise", channels)
        levels.append(drawing.feature)
    ends = []
    for number, (level, count) in enumerate(zip(levels, (3, 6, 6, 6, 6, 6), strict=True), start=1):
        for name, each in (("boxes", 4), ("classes", _CLASSES_WITH_BACKGROUND)):
            drawing.branch(level)
            drawing.conv(f"head{number}.{name}.depthwise", level[1][0], 3, groups=level[1][0])
            drawing.conv(f"head{number}.{name}", count * each, norm=False, act=False)
            ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def ssd_resnet34() -> list[Row]:
    """Return the SSD for 1200x1200 inputs on three stages of a ResNet-34, the last of which keeps its size."""
    drawing = Drawing((3, 1200, 1200))
    draw_residual(drawing, ResidualStages((3, 4, 6), bottleneck=False, dilated=1))
    levels = [drawing.feature]
    for number, (narrow, width, stride, pad) in enumerate(
        ((256, 512, 2, 1), (256, 512, 2, 1), (128, 256, 2, 1), (128, 256, 2, 0), (128, 256, 1, 0)), start=1
    ):
        drawing.conv(f"extra{number}.narrow", narrow, norm=False)
        drawing.conv(f"extra{number}.reduce", width, 3, stride=stride, pad=pad, norm=False)
        levels.append(drawing.feature)
    ends = []
    for number, (level, count) in enumerate(zip(levels, (4, 6, 6, 6, 4, 4), strict=True), start=1):
        for name, each in (("boxes", 4), ("classes", 81)):
            drawing.branch(level)
            drawing.conv(f"head{number}.{name}", count * each, 3, stride=3, norm=False, act=False)
            ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def retinanet(stages: ResidualStages, classes: int) -> list[Row]:
    """Return the RetinaNet for 800x800 inputs: a pyramid of five levels and two heads of four convolutions that all levels use."""
    drawing = Drawing((3, 800, 800))
    levels = _top_down(drawing, draw_residual(drawing, stages)[1:], 256)
    for number in (6, 7):
        drawing.branch(levels[-1])
        if number == 7:
            drawing.act("pyramid7.act")
        drawing.conv(f"pyramid{number}", 256, 3, stride=2, norm=False, act=False)
        levels.append(drawing.feature)
    ends = []
    for number, level in enumerate(levels, start=3):
        for name, outputs in (("classes", _ANCHORS * classes), ("boxes", _ANCHORS * 4)):
            drawing.branch(level)
            for layer in range(4):
                drawing.conv(f"head{number}.{name}.conv{layer}", 256, 3, norm=False)
                drawing.share(f"{name}.conv{layer}", -2)
            drawing.conv(f"head{number}.{name}.predict", outputs, 3, norm=False, act=False)
            drawing.share(f"{name}.predict")
            ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def _top_down(drawing: Drawing, levels: Sequence[Feature], width: int) -> list[Feature]:
    """Add a feature pyramid (arXiv 1612.03144) over these levels, the finest first; return its maps in the same order."""
    found: list[Feature] = []
    above: Feature | None = None
    for number, level in reversed(list(enumerate(levels, start=3))):
        drawing.branch(level)
        drawing.conv(f"pyramid{number}.lateral", width, norm=False, act=False)
        inner = drawing.feature
        if above is not None:
            drawing.branch(above)
            drawing.resize(f"pyramid{number}.resize", *inner[1][1:])
            drawing.sum(f"pyramid{number}.add", inner, drawing.feature)
            inner = drawing.feature
        drawing.conv(f"pyramid{number}", width, 3, norm=False, act=False)
        found.insert(0, drawing.feature)
        above = inner
    return found


def efficientdet_d0() -> list[Row]:
    """Return the EfficientDet-D0 for 512x512 inputs: three bidirectional pyramids on an EfficientNet-B0 and two heads."""
    drawing = Drawing((3, 512, 512))
    stages = draw_efficientnet_b0(drawing)
    levels = {3: stages[2], 4: stages[4], 5: stages[6]}
    drawing.conv("level6.project", _BIFPN_WIDTH, bias=True, act=False)
    for number in (6, 7):
        drawing.pool(f"level{number}.pool", 3, 2, pad=1)
        levels[number] = drawing.feature
    for cell in range(_BIFPN_CELLS):
        levels = _bidirectional_cell(drawing, f"cell{cell}", levels)
    ends = []
    for number, level in levels.items():
        for name, outputs in (("classes", _ANCHORS * 90), ("boxes", _ANCHORS * 4)):
            drawing.branch(level)
            for layer in range(3):
                _shared_separable(drawing, f"head{number}.{name}.{layer}", f"{name}.{layer}", _BIFPN_WIDTH)
                drawing.norm(f"head{number}.{name}.{layer}:norm", kind="batchnorm")
                drawing.act(f"head{number}.{name}.{layer}:act")
            _shared_separable(drawing, f"head{number}.{name}.predict", f"{name}.predict", outputs)
            ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def _shared_separable(drawing: Drawing, name: str, shared: str, channels: int) -> None:
    """Add a depthwise and a 1x1 convolution whose weights all levels use."""
    width = drawing.channels
    drawing.conv(f"{name}.depthwise", width, 3, groups=width, bias=False, norm=False, act=False)
    drawing.share(f"{shared}.depthwise")
    drawing.conv(f"{name}.pointwise", channels, norm=False, act=False)
    drawing.share(f"{shared}.pointwise")


def _bidirectional_cell(drawing: Drawing, name: str, levels: dict[int, Feature]) -> dict[int, Feature]:
    """Add a pass from the coarsest level to the finest and one back, each node a weighted sum of two or three maps."""
    down = {7: levels[7]}
    for number in (6, 5, 4, 3):
        own = _projected(drawing, f"{name}.down{number}", levels[number])
        drawing.branch(down[number + 1])
        drawing.resize(f"{name}.down{number}.resize", *own[1][1:])
        down[number] = _node(drawing, f"{name}.down{number}", own, drawing.feature)
    found = {3: down[3]}
    for number in (4, 5, 6, 7):
        parts = (
            [levels[7]] if number == 7 else [_projected(drawing, f"{name}.up{number}", levels[number]), down[number]]
        )
        drawing.branch(found[number - 1])
        drawing.pool(f"{name}.up{number}.pool", 3, 2, pad=1)
        found[number] = _node(drawing, f"{name}.up{number}", *parts, drawing.feature)
    return found


def _projected(drawing: Drawing, name: str, level: Feature) -> Feature:
    if level[1][0] == _BIFPN_WIDTH:
        return level
    drawing.branch(level)
    drawing.conv(f"{name}.project", _BIFPN_WIDTH, bias=True, act=False)
    return drawing.feature


def _node(drawing: Drawing, name: str, *parts: Feature) -> Feature:
    drawing.sum(f"{name}.add", *parts)
    drawing.rows[-1]["weight_elements"] = len(parts)
    drawing.act(f"{name}.act")
    width = drawing.channels
    drawing.conv(f"{name}.depthwise", width, 3, groups=width, bias=False, norm=False, act=False)
    drawing.conv(f"{name}.pointwise", width, bias=True, act=False)
    return drawing.feature
