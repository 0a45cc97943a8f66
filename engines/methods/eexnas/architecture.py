"""A network of the search space: its layers, their costs and its memory demand (odema-2024 section B.4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

BYTES = 4  # of a 32-bit number, and of a word of bits
BITS = 32  # of a word: one of each filter
Operation = Literal["mac", "add", "word"]


@dataclass(frozen=True)
class Block:
    """A convolution with ReLU, and a maximum over windows behind it.

    Attributes:
        filters, kernel, stride: shape of the convolution, which is padded with kernel // 2 zeros on either side.
        pool: window of the maximum; 0 for none.
        pool_stride: pool stride of the maximum; 0 where there is none.
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
        binary: weights and activations of one bit (section B.4.4).
    """

    blocks: tuple[Block, ...]
    hidden: int
    binary: bool = False

    @property
    def name(self) -> str:
        """The string of section B.4.3, fit for a file's name."""
        parts = [f"{each.filters}_{each.kernel}_{each.stride}_{each.pool}_{each.pool_stride}" for each in self.blocks]
        return "-".join([*parts, f"fc{self.hidden}", *(["binary"] if self.binary else [])])

    @property
    def decision(self) -> dict[str, Any]:
        """Return the architecture as decisions store it."""
        return {
            "blocks": [asdict(each) for each in self.blocks],
            "hidden": self.hidden,
            "binary": self.binary,
        }


def architecture_of(decision: Mapping[str, Any]) -> Architecture:
    """Return the same back again; raises KeyError, TypeError or ValueError for what describes none."""
    blocks = tuple(
        Block(**{name: int(each[name]) for name in Block.__dataclass_fields__}) for each in decision["blocks"]
    )
    return Architecture(blocks, int(decision["hidden"]), bool(decision["binary"]))


@dataclass(frozen=True)
class Layer:
    """One layer as it is computed.

    Attributes:
        kind: "conv", "pool", "linear" or "exit".
        shape_in, shape_out: channels x samples.
        work: number of operations.
        operation: multiply-accumulates or comparisons of 32-bit numbers ("mac"), additions of whole numbers whose sign a bit says
            ("add"), or words of bits that are compared and counted ("word").
        weights: with biases.
        bytes_in, bytes_out: of RAM that input and output take; 0 for the windows of a binary network, which lie elsewhere.
        weight_bytes: weight in bytes of the C code.
    """

    title: str
    kind: str
    shape_in: tuple[int, int]
    shape_out: tuple[int, int]
    work: int
    operation: Operation
    weights: int
    bytes_in: int
    bytes_out: int
    weight_bytes: int


@dataclass(frozen=True)
class SizedNetwork:
    """A network on windows of one size.

    Attributes:
        layers: in order, those at the end too.
        exit_at: number of exit at lie before the exit.
        exit: the largest value of each filter, then a linear layer; the publication says no more than an exit behind a block.
        classes: classes of the outputs.
    """

    architecture: Architecture
    layers: tuple[Layer, ...]
    exit_at: int
    exit: Layer
    classes: int

    @property
    def before(self) -> tuple[Layer, ...]:
        """Return what every window passes: the first block."""
        return self.layers[: self.exit_at]

    @property
    def after(self) -> tuple[Layer, ...]:
        """Return the layers executed only for images that do not exit early."""
        return self.layers[self.exit_at :]

    @property
    def arena_bytes(self) -> int:
        """Largest input and output of a layer together: all that activations need at any moment."""
        return max(layer.bytes_in + layer.bytes_out for layer in self.layers)

    @property
    def window_bytes(self) -> int:
        """Return the bytes of the window as padded 16-bit integers, which binary networks keep next to the arena; 0 else."""
        channels, samples = self.layers[0].shape_in
        return BYTES * -(-channels * samples // 2) if self.architecture.binary else 0

    @property
    def static_bytes(self) -> int:
        """Return the static bytes of the C code: the arena, the window of a binary network, and the outputs of one end."""
        return self.arena_bytes + self.window_bytes + BYTES * self.classes

    @property
    def weight_bytes(self) -> int:
        """Return the bytes of all weights, including those of the exit."""
        return sum(layer.weight_bytes for layer in self.layers) + self.exit.weight_bytes


def laid_out(architecture: Architecture, channels: int, samples: int, classes: int) -> SizedNetwork | None:
    """Return the layers on windows of `channels x samples`; None where a maximum is wider than what is left of a window."""
    layer = _binary if architecture.binary else _float
    layers: list[Layer] = []
    exit_at, shape = 0, (channels, samples)
    for number, block in enumerate(architecture.blocks, 1):
        out = (block.filters, (shape[1] + 2 * (block.kernel // 2) - block.kernel) // block.stride + 1)
        layers.append(layer(f"Conv {number}", "conv", shape, out, block.kernel, number == 1))
        shape = out
        if block.pool:
            if shape[1] < block.pool:
                return None
            out = (shape[0], (shape[1] - block.pool) // block.pool_stride + 1)
            layers.append(layer(f"Pool {number}", "pool", shape, out, block.pool, False))
            shape = out
        if number == 1:
            exit_at, tapped = len(layers), shape
    for title, width in (("Hidden", architecture.hidden), ("Output", classes)):
        if width:
            layers.append(layer(title, "linear", shape, (width, 1), 0, False))
            shape = (width, 1)
    leaving = layer("Exit", "exit", tapped, (classes, 1), 0, False)
    return SizedNetwork(architecture, tuple(layers), exit_at, leaving, classes)


def words_of(shape: tuple[int, int]) -> int:
    """Return the words that the bits of `channels x samples` take: those of one sample lie together."""
    return -(-shape[0] // BITS) * shape[1]


def _float(title: str, kind: str, before: tuple[int, int], after: tuple[int, int], width: int, first: bool) -> Layer:
    elements, outputs = before[0] * before[1], after[0] * after[1]
    work, weights = {
        "conv": (outputs * before[0] * width, after[0] * (before[0] * width + 1)),
        "pool": (outputs * (width - 1), 0),
        "linear": (elements * after[0], (elements + 1) * after[0]),
        "exit": (elements + before[0] * after[0], (before[0] + 1) * after[0]),
    }[kind]
    return Layer(title, kind, before, after, work, "mac", weights, BYTES * elements, BYTES * outputs, BYTES * weights)


def _binary(title: str, kind: str, before: tuple[int, int], after: tuple[int, int], width: int, first: bool) -> Layer:
    """Return the bits of all channels of a sample in words.

    The last layer and the exit give 32-bit numbers, with scale and bias by class.
    """
    if first:  # windows of whole numbers, added or subtracted as the bits of a kernel say
        taps = before[0] * width
        work, weights, held = after[0] * after[1] * taps, after[0] * (taps + 1), after[0] * (2 * before[0] + BYTES)
        return Layer(title, kind, before, after, work, "add", weights, 0, BYTES * words_of(after), held)
    last = title in ("Output", "Exit")
    out = BYTES * after[0] if last else BYTES * words_of(after)
    inputs = 1 if kind == "exit" else words_of(before)
    ends = 2 if last else 1
    work, weights, words = {
        "conv": (after[0] * after[1] * width, after[0] * (before[0] * width + 1), after[0] * (width + 1)),
        "pool": (words_of(after) * (width - 1), 0, 0),
        "linear": (after[0] * inputs, after[0] * (before[0] * before[1] + ends), after[0] * (inputs + ends)),
        "exit": (before[1] + after[0], after[0] * (before[0] + ends), after[0] * (inputs + ends)),
    }[kind]
    return Layer(title, kind, before, after, work, "word", weights, BYTES * words_of(before), out, BYTES * words)
