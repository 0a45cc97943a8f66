"""Shapes of the backbone that is trained, and its document; without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.data.documents import ImageData
from engines.methods.hadas.training.params import TrainExitsParams
from engines.workloads.families.network_builder import Drawing


@dataclass(frozen=True)
class BackboneShape:
    """Blocks of a backbone.

    Attributes:
        channels, side: channels and side of an image, which is square.
        classes: outputs.
        widths, strides: widths and strides of each block's convolution.
    """

    channels: int
    side: int
    classes: int
    widths: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def sides(self) -> tuple[int, ...]:
        """Return the sides of the feature map after each block."""
        found, side = [], self.side
        for stride in self.strides:
            side = (side - 1) // stride + 1
            found.append(side)
        return tuple(found)


def shape_of(data: ImageData, params: TrainExitsParams) -> BackboneShape:
    """Return the thirds of the blocks with once, twice and four times the width; the first of the later thirds halve the map.

    Raises:
        ProblemError: images are not square.
    """
    if data.height != data.width:
        raise ProblemError("inputs.data", f"{data.height} x {data.width}", "square images")
    thirds = [3 * number // params.blocks for number in range(params.blocks)]
    strides = [1 if number == 0 or third == thirds[number - 1] else 2 for number, third in enumerate(thirds)]
    widths = [params.width * 2**third for third in thirds]
    return BackboneShape(data.channels, data.height, len(data.classes), tuple(widths), tuple(strides))


def network_content(shape: BackboneShape, slug: str, title: str) -> dict[str, Any]:
    """Return the backbone without exits as the content of a `network/1` document; blocks are called block1, block2, ..."""
    drawing = Drawing((shape.channels, shape.side, shape.side))
    for number, (width, stride) in enumerate(zip(shape.widths, shape.strides, strict=True), start=1):
        drawing.conv(f"block{number}", width, 3, stride=stride)
    drawing.pool_to("mean")
    drawing.linear("classifier", shape.classes)
    return {
        "schema": "network/1", "slug": slug, "title": title, "short_title": "Trained",
        "summary": f"Image classification, {shape.side}x{shape.side}x{shape.channels}.",
        "source": "trained by the engine train-exits", "operations": drawing.rows,
    }  # fmt: skip
