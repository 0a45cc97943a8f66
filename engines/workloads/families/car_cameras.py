"""Networks of MLPerf Automotive for one camera of 8 megapixels: SSD and DeepLab v3+, both on a ResNet-50.

Source: mlcommons/mlperf_automotive (Apache-2.0), `2d-object-detection` with configuration baseline_8MP_ss_scales_fm1_5x5_all, and
`semantic-segmentation`; mlcommons/abtf-ssd-pytorch (MIT). The SSD tells the 14 classes of its label file apart, and background.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.residual import ResidualStages, draw_residual

_HEIGHT, _WIDTH = 2160, 3840
_SSD_CLASSES, _DEEPLAB_CLASSES = 15, 19
# Channels inside and of each map after the first one; boxes at every place of each map.
_EXTRA = ((256, 512), (256, 512), (128, 256), (128, 256), (128, 256), (128, 256))
_BOXES = (4, 6, 6, 6, 4, 4, 4)


def ssd_resnet50() -> list[Row]:
    """Return the SSD: three stages of a ResNet-50, the last of which keeps its size, six more maps, heads of 5 x 5."""
    drawing = Drawing((3, _HEIGHT, _WIDTH))
    draw_residual(drawing, ResidualStages((3, 4, 6), dilated=1, dilates=False))
    maps = [drawing.feature]
    for index, (inner, width) in enumerate(_EXTRA, start=1):
        drawing.conv(f"extra{index}.1", inner)
        drawing.conv(f"extra{index}.2", width, 3, stride=2)
        maps.append(drawing.feature)
    results: list[Feature] = []
    for index, (each, boxes) in enumerate(zip(maps, _BOXES, strict=True)):
        for name, values in (("boxes", 4), ("classes", _SSD_CLASSES)):
            drawing.branch(each)
            drawing.conv(f"head{index}.{name}", boxes * values, 5, norm=False, act=False)
            results.append(drawing.feature)
    drawing.outputs("outputs", *results)
    return drawing.rows


def deeplab_v3_plus() -> list[Row]:
    """Return the DeepLab v3+: a ResNet-50 to a sixteenth of the sides, a pyramid of dilated convolutions, a decoder."""
    drawing = Drawing((3, _HEIGHT, _WIDTH))
    stages = draw_residual(drawing, ResidualStages((3, 4, 6, 3), dilated=1))
    coarse, parts = drawing.feature, list[Feature]()
    for dilation in (0, 6, 12, 18):
        drawing.branch(coarse)
        drawing.conv(f"pyramid{dilation}", 256, 3 if dilation else 1, dilation=max(1, dilation))
        parts.append(drawing.feature)
    drawing.branch(coarse)
    drawing.pool_to("pyramid.mean")
    drawing.conv("pyramid.mean.conv", 256)
    drawing.resize("pyramid.mean.resize", *coarse[1][1:])
    drawing.join("pyramid.concat", *parts, drawing.feature)
    drawing.conv("pyramid.project", 256)
    pyramid = drawing.feature
    drawing.branch(stages[0])
    drawing.conv("decoder.fine", 48)
    fine = drawing.feature
    drawing.branch(pyramid)
    drawing.resize("decoder.resize", *fine[1][1:])
    drawing.join("decoder.concat", fine, drawing.feature)
    drawing.conv("decoder.conv", 256, 3)
    drawing.conv("decoder.classes", _DEEPLAB_CLASSES, norm=False, act=False)
    drawing.resize("resize", _HEIGHT, _WIDTH)
    return drawing.rows


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    size, source = f"{_HEIGHT}x{_WIDTH}", "mlcommons/mlperf_automotive (Apache-2.0), v0.5; drawn from the definition"
    summary = f"Object detection, {size}x3, {_SSD_CLASSES - 1} classes of Cognata."
    title = f"SSD ResNet-50, {size}"
    yield drawn_network("ssd-resnet50-8mp", title, "SSD R50 8MP", summary, source, ssd_resnet50)
    summary = f"Image segmentation, {size}x3, {_DEEPLAB_CLASSES} classes of Cognata."
    title = f"DeepLab v3+ ResNet-50, {size}"
    yield drawn_network("deeplab-v3-plus-resnet50-8mp", title, "DLv3+ R50 8M", summary, source, deeplab_v3_plus)
