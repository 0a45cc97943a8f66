"""Layers of a network by shape and group: what pruning leaves of them and what is computed. Without torch.

Groups are counted from the output on, as in goyal-2023 section 4.3.2: group 1 is pruned first bottom-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GROUPS = 4
_BIAS_BYTES, _POINTER_BYTES = 4, 2
_POOLED_FROM = 4  # smaller images are not halved


@dataclass(frozen=True)
class Layer:
    """A convolution, or a linear layer as one of 1 x 1 on one position.

    Attributes:
        group: 1 nearest the output to 4.
        channels, filters: numbers of input and output channels.
        kernel: height x width.
        size_in, size_out: height and width in pixels.
        first: takes the images themselves, whose channels stay.
    """

    title: str
    group: int
    channels: int
    filters: int
    kernel: tuple[int, int]
    size_in: tuple[int, int]
    size_out: tuple[int, int]
    first: bool = False

    @property
    def taps(self) -> int:
        """Weights of one channel of one filter."""
        return self.kernel[0] * self.kernel[1]

    @property
    def positions(self) -> int:
        """Pixels of an output channel."""
        return self.size_out[0] * self.size_out[1]

    @property
    def weights(self) -> int:
        """Return the weights of all channels of all filters."""
        return self.channels * self.filters * self.taps

    @property
    def macs(self) -> int:
        """Multiply-accumulates of an image."""
        return self.weights * self.positions


@dataclass(frozen=True)
class LayerRemainder:
    """The rest of a layer after pruning.

    Attributes:
        channels, filters: number of channels and filters.
        pairs: channels of all filters that are not zero: channels x filters unless filters keep different ones.
        asymmetric: whether they do, so that offset, count and differences are stored.
    """

    layer: Layer
    channels: int
    filters: int
    pairs: int
    asymmetric: bool = False

    @property
    def weights(self) -> int:
        """Return the number of weights that are not zero."""
        return self.pairs * self.layer.taps

    @property
    def macs(self) -> int:
        """Return the multiply-accumulates of an image where zero channels are skipped."""
        return self.weights * self.layer.positions

    @property
    def pointer_bytes(self) -> int:
        """Offset of the first channel, channels of each filter, and the difference to each next channel (section 4.4.2)."""
        return _POINTER_BYTES * (1 + self.filters + max(0, self.pairs - 1)) if self.asymmetric else 0

    def size_bytes(self, dense: bool) -> int:
        """Return a byte per weight; `dense`: zero channels are stored as well and nothing else is."""
        biases = _BIAS_BYTES * self.filters
        if dense:
            return self.channels * self.filters * self.layer.taps + biases
        return self.weights + biases + self.pointer_bytes


def whole(layer: Layer) -> LayerRemainder:
    """Return masks that prune no channel."""
    return LayerRemainder(layer, layer.channels, layer.filters, layer.channels * layer.filters)


def four_blocks(
    channels: int, side: tuple[int, int], classes: int, width: int, convolutions: int
) -> tuple[tuple[Layer, ...], tuple[bool, ...]]:
    """Return the network that is trained in place: four blocks of 3 x 3 convolutions, the mean of each filter, a linear layer.

    Args:
        channels: channels of an image.
        side: its height and width in pixels.
        classes: number of its classes.
        width: filters of the first block; the others have 2, 4 and 4 times as many.
        convolutions: convolutions of each block.

    Returns:
        the layers, and for each of them whether its output is halved by a maximum of 2 x 2.
    """
    layers, halved, size = list[Layer](), list[bool](), side
    for block, times in enumerate((1, 2, 4, 4)):
        for number in range(convolutions):
            title, filters = f"Block {block + 1}.{number + 1}", times * width
            layers.append(Layer(title, GROUPS - block, channels, filters, (3, 3), size, size, not layers))
            halved.append(number == convolutions - 1 and block < GROUPS - 1 and min(size) >= _POOLED_FROM)
            channels = filters
        if halved[-1]:
            size = (size[0] // 2, size[1] // 2)
    layers.append(Layer("Classifier", 1, channels, classes, (1, 1), (1, 1), (1, 1)))
    return tuple(layers), (*halved, False)


def totals(layers: Sequence[LayerRemainder]) -> tuple[int, int]:
    """Return the weights and multiply-accumulates of an image that are left."""
    return sum(each.weights for each in layers), sum(each.macs for each in layers)
