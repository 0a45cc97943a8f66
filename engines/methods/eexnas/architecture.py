"""One network of the space: its layers, what they cost, and what memory they need (odema-2024 section B.4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

BYTES = 4  # of a 32-bit number


@dataclass(frozen=True)
class Block:
    """A convolution with ReLU, and a maximum over windows behind it.

    Attributes:
        filters, kernel, stride: of the convolution, which is padded with kernel // 2 zeros on either side.
        pool: window of the maximum; 0 for none.
        pool_stride: of the maximum; 0 where there is none.
    """

    filters: int
    kernel: int
    stride: int
    pool: int
    pool_stride: int


@dataclass(frozen=True)
class Architecture:
    """A network: blocks, an exit behind the first, and layers at the end.

    Attributes:
        blocks: 2 or 3.
        hidden: width of the fully connected layer before the last; 0 for none.
    """

    blocks: tuple[Block, ...]
    hidden: int

    @property
    def name(self) -> str:
        """The string of section B.4.3, fit for a file's name."""
        parts = [f"{each.filters}_{each.kernel}_{each.stride}_{each.pool}_{each.pool_stride}" for each in self.blocks]
        return "-".join([*parts, f"fc{self.hidden}"])

    @property
    def decision(self) -> dict[str, Any]:
        """As decisions keep it."""
        return {
            "blocks": [asdict(each) for each in self.blocks],
            "hidden": self.hidden,
        }


def architecture_of(decision: Mapping[str, Any]) -> Architecture:
    """The same back again; raises KeyError, TypeError or ValueError for what describes none."""
    blocks = tuple(
        Block(**{name: int(each[name]) for name in Block.__dataclass_fields__}) for each in decision["blocks"]
    )
    return Architecture(blocks, int(decision["hidden"]))


@dataclass(frozen=True)
class Layer:
    """One layer as it is computed.

    Attributes:
        kind: "conv", "pool" or "linear".
        shape_in, shape_out: channels x samples.
        work: multiply-accumulates, or comparisons of a maximum.
        weights: with biases.
    """

    title: str
    kind: str
    shape_in: tuple[int, int]
    shape_out: tuple[int, int]
    work: int
    weights: int

    @property
    def arena_elements(self) -> int:
        """Input and output, which are there at once."""
        return self.shape_in[0] * self.shape_in[1] + self.shape_out[0] * self.shape_out[1]


@dataclass(frozen=True)
class Laid:
    """A network on windows of one size.

    Attributes:
        layers: in order, those at the end too.
        exit_at: how many of them lie before the exit.
        exit: the largest value of each filter, then a linear layer; the publication says no more than an exit behind a block.
        classes: of the outputs.
    """

    architecture: Architecture
    layers: tuple[Layer, ...]
    exit_at: int
    exit: Layer
    classes: int

    @property
    def before(self) -> tuple[Layer, ...]:
        """What every window passes: the first block."""
        return self.layers[: self.exit_at]

    @property
    def after(self) -> tuple[Layer, ...]:
        """What only those pass that do not leave."""
        return self.layers[self.exit_at :]

    @property
    def arena_bytes(self) -> int:
        """Largest input and output of a layer together: all that activations need at any moment."""
        return BYTES * max(layer.arena_elements for layer in self.layers)

    @property
    def static_bytes(self) -> int:
        """Of the C code: the arena, and the outputs of one end."""
        return self.arena_bytes + BYTES * self.classes

    @property
    def weight_bytes(self) -> int:
        """Of everything, the exit too."""
        return BYTES * (sum(layer.weights for layer in self.layers) + self.exit.weights)


def laid_out(architecture: Architecture, channels: int, samples: int, classes: int) -> Laid | None:
    """The layers on windows of `channels x samples`; None where a maximum is wider than what is left of a window."""
    layers: list[Layer] = []
    exit_at, shape = 0, (channels, samples)
    for number, block in enumerate(architecture.blocks, 1):
        out = (block.filters, (shape[1] + 2 * (block.kernel // 2) - block.kernel) // block.stride + 1)
        taps = shape[0] * block.kernel
        layers.append(Layer(f"Conv {number}", "conv", shape, out, out[0] * out[1] * taps, block.filters * (taps + 1)))
        shape = out
        if block.pool:
            if shape[1] < block.pool:
                return None
            out = (shape[0], (shape[1] - block.pool) // block.pool_stride + 1)
            layers.append(Layer(f"Pool {number}", "pool", shape, out, out[0] * out[1] * (block.pool - 1), 0))
            shape = out
        if number == 1:
            exit_at, tapped = len(layers), shape
    for title, width in (("Hidden", architecture.hidden), ("Output", classes)):
        if width:
            size = shape[0] * shape[1]
            layers.append(Layer(title, "linear", shape, (width, 1), size * width, (size + 1) * width))
            shape = (width, 1)
    leaving = Layer(
        "Exit", "exit", tapped, (classes, 1), tapped[0] * tapped[1] + tapped[0] * classes, (tapped[0] + 1) * classes
    )
    return Laid(architecture, tuple(layers), exit_at, leaving, classes)
