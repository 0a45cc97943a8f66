"""Networks without shortcuts: AlexNet, VGG, SqueezeNet (torchvision 0.15.2 `alexnet.py`, `vgg.py`, `squeezenet.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engines.workloads.families.network_builder import Drawing, Row

# Convolutions of each of the five parts; VGG-11, 13, 16 and 19.
_VGG_PARTS: Mapping[int, tuple[int, ...]] = MappingProxyType(
    {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
)
_VGG_WIDTHS = (64, 128, 256, 512, 512)
# Squeezed and expanded channels of the fire modules; a number is a pooling.
_FIRES = ((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256))
_POOLS_BEFORE: Mapping[str, tuple[int, ...]] = MappingProxyType({"1_0": (0, 3, 7), "1_1": (0, 2, 4)})


def alexnet() -> list[Row]:
    """Return the AlexNet in one column, 224x224."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("conv1", 64, 11, stride=4, pad=2, norm=False)
    drawing.pool("pool1", 3, 2)
    drawing.conv("conv2", 192, 5, norm=False)
    drawing.pool("pool2", 3, 2)
    for number, width in ((3, 384), (4, 256), (5, 256)):
        drawing.conv(f"conv{number}", width, 3, norm=False)
    drawing.pool("pool5", 3, 2)
    drawing.pool_to("avgpool", 6)
    return _three_linear(drawing)


def vgg(depth: int, norm: bool = False) -> list[Row]:
    """Return the VGG of `depth` weighted layers, 224x224; `norm`: with batch normalisation."""
    drawing = Drawing((3, 224, 224))
    for part, (count, width) in enumerate(zip(_VGG_PARTS[depth], _VGG_WIDTHS, strict=True), start=1):
        for number in range(1, count + 1):
            drawing.conv(f"conv{part}_{number}", width, 3, norm=norm, bias=True)
        drawing.pool(f"pool{part}", 2, 2)
    drawing.pool_to("avgpool", 7)
    return _three_linear(drawing)


def digits_chain(widths: tuple[int, ...] = (32, 64, 64)) -> list[Row]:
    """Return the convolutions of 3 x 3 on images of 8 x 8, the second pooled, ten classes from the mean of each channel."""
    drawing = Drawing((1, 8, 8))
    for number, width in enumerate(widths, start=1):
        drawing.conv(f"conv{number}", width, 3, norm=False, bias=True)
        if number == 2:
            drawing.pool("pool2", 2, 2)
    drawing.pool_to("avgpool")
    drawing.linear("exit", 10)
    return drawing.rows


def squeezenet(version: str) -> list[Row]:
    """Return SqueezeNet "1_0" or "1_1", 224x224."""
    drawing = Drawing((3, 224, 224))
    width, kernel = (96, 7) if version == "1_0" else (64, 3)
    drawing.conv("conv1", width, kernel, stride=2, pad=0, norm=False)
    for index, (squeezed, expanded) in enumerate(_FIRES):
        if index in _POOLS_BEFORE[version]:
            drawing.pool(f"pool{index + 1}", 3, 2, ceil=True)
        _fire(drawing, f"fire{index + 2}", squeezed, expanded)
    drawing.conv("classifier", 1000, norm=False)
    drawing.pool_to("avgpool")
    return drawing.rows


def _fire(drawing: Drawing, name: str, squeezed: int, expanded: int) -> None:
    drawing.conv(f"{name}.squeeze", squeezed, norm=False)
    inner, entry = drawing.shape, drawing.last
    drawing.conv(f"{name}.expand1x1", expanded, norm=False)
    drawing.shape, narrow = inner, drawing.last
    drawing.reading(entry)
    drawing.conv(f"{name}.expand3x3", expanded, 3, norm=False)
    drawing.reading(narrow, drawing.last)
    drawing.concat(f"{name}.concat", [drawing.shape, drawing.shape])


def _three_linear(drawing: Drawing) -> list[Row]:
    drawing.shape = (drawing.size, 1, 1)
    drawing.linear("fc6", 4096, act=True)
    drawing.linear("fc7", 4096, act=True)
    drawing.linear("fc8", 1000)
    return drawing.rows
