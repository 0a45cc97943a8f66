"""Draws the operations of a network one after the other, each from the feature map that the one before gives out.

Rows are those of a `network/1` document, in the way the traced tables of the zoo have them: a row per convolution, product,
normalisation, activation, pooling, addition and concatenation; what only renames dimensions (flatten, split into heads) is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.workloads.network import INPUT

Row = dict[str, Any]
Shape = tuple[int, int, int]
# Number of a row and the shape of what it gives out; -1: the network's input.
Feature = tuple[int, Shape]


def divisible(value: float, divisor: int = 8, least_share: float = 0.9) -> int:
    """Return `value` as a multiple of `divisor`, not below `least_share` of it (`_make_divisible` of the MobileNet papers)."""
    rounded = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return rounded if rounded >= least_share * value else rounded + divisor


def _short(sides: Sequence[int]) -> int | list[int]:
    """Return the padding above, below, on the left and on the right in the shortest form that a document takes."""
    if len({*sides}) == 1:
        return sides[0]
    return [sides[0], sides[2]] if sides[0] == sides[1] and sides[2] == sides[3] else list(sides)


@dataclass
class Drawing:
    """The rows so far, and the shape (channels, height, width) of what the last one gives out.

    A row reads the result of the row before it, the first one the network's input, where `reading` does not say otherwise.

    A sequence of tokens is a map of one column: (width of a token, tokens, 1). In one of `dimensions` a signal is one too, and
    kernels and poolings have one column.
    """

    shape: Shape
    rows: list[Row] = field(default_factory=list)
    dimensions: int = 2
    _reads: tuple[int, ...] | None = None

    @property
    def last(self) -> int:
        """Number of the row that gives out the present map."""
        return len(self.rows) - 1

    def reading(self, *rows: int) -> None:
        """Make the next row read the results of these, and not that of the row before it alone; -1 or none: the network's input."""
        self._reads = tuple(sorted({*rows} or {INPUT}))

    @property
    def feature(self) -> Feature:
        """Return the row that gives out the present map, which is the one that the next row reads, and the map's shape."""
        reads = self._reads or (self.last,)
        return (reads[0] if len(reads) == 1 else self.last), self.shape

    def branch(self, feature: Feature, channels: int | None = None) -> None:
        """Make the next row read this feature, or the first or last `channels` of it."""
        row, shape = feature
        self.shape = shape if channels is None else (channels, *shape[1:])
        self.reading(row)

    def join(self, name: str, *features: Feature) -> None:
        """Join features of equal height and width along their channels."""
        self.reading(*(row for row, _ in features))
        self.concat(name, [shape for _, shape in features])

    def sum(self, name: str, *features: Feature) -> None:
        """Add features up (or multiply them); the result has the shape of the first."""
        self.reading(*(row for row, _ in features))
        self.shape = features[0][1]
        self.moved(name, "eltwise", read=sum(c * y * x for _, (c, y, x) in features))

    def outputs(self, name: str, *features: Feature) -> None:
        """Join features of any shapes, as several results of one network are."""
        self.reading(*(row for row, _ in features))
        self.shape = (sum(c * y * x for _, (c, y, x) in features), 1, 1)
        self.moved(name, "concat")

    def _put(self, row: Row) -> None:
        reads = (self.last,) if self._reads is None else self._reads
        if not self.rows or reads != (self.last,):
            row["reads"] = [] if reads == (INPUT,) else list(reads)
        self._reads = None
        self.rows.append(row)

    @property
    def channels(self) -> int:
        """Return the channels of the present feature map; the width of a token."""
        return self.shape[0]

    @property
    def places(self) -> int:
        """Pixels of the present feature map; tokens."""
        return self.shape[1] * self.shape[2]

    @property
    def size(self) -> int:
        """Elements of the present feature map."""
        return self.channels * self.places

    def conv(
        self,
        name: str,
        k: int,
        kernel: int = 1,
        *,
        columns: int | None = None,
        stride: int = 1,
        pad: int | Sequence[int] | None = None,
        groups: int = 1,
        dilation: int = 1,
        bias: bool | None = None,
        norm: bool = True,
        act: bool = True,
    ) -> None:
        """Add a convolution of `kernel` x `kernel` to `k` channels, with batch normalisation and activation after it.

        Args:
            name: name of the row.
            k: channels given out.
            kernel: height, and width in two dimensions.
            columns: width, where it differs.
            stride: stride of both directions.
            pad: zeros on each side, or above, below, on the left and on the right; None keeps the size where the stride is 1.
            groups: number of groups of channels.
            dilation: inputs from one weight of the kernel to the next, in both directions.
            bias: whether there is one; None: where no batch normalisation follows.
            norm: whether batch normalisation follows.
            act: whether an activation follows.
        """
        c, y, x = self.shape
        columns = (kernel if self.dimensions == 2 else 1) if columns is None else columns
        reaches = [dilation * (side - 1) + 1 for side in (kernel, columns)]
        if pad is None or isinstance(pad, int):
            across = self.dimensions == 2
            above, beside = (reach // 2 for reach in reaches) if pad is None else (pad, pad * across)
            pad = (above, above, beside, beside)
        biased = (not norm) if bias is None else bias
        kind = "depthwise" if groups == c > 1 else "conv"
        row: Row = {"name": name, "kind": kind, "k": k, "c": c, "r": kernel, "s": columns, "y": y, "x": x}
        row |= {"stride": stride, "pad": _short(pad), "groups": groups}
        if dilation > 1:
            row["dilation"] = dilation
        row["weight_elements"] = k * (c // groups) * kernel * columns + k * biased
        self._put(row)
        added = (pad[0] + pad[1], pad[2] + pad[3])
        height, width = (
            (side + more - reach) // stride + 1 for side, more, reach in zip((y, x), added, reaches, strict=True)
        )
        self.shape = (k, height, width)
        if norm:
            self.norm(f"{name}:norm", kind="batchnorm")
        if act:
            self.act(f"{name}:act")

    def transposed_conv(
        self, name: str, k: int, kernel: int = 2, *, stride: int = 2, groups: int = 1, pad: int = 0, bias: bool = True
    ) -> None:
        """Add a transposed convolution to `k` channels, which takes `pad` outputs away on each side."""
        c, y, x = self.shape
        row: Row = {"name": name, "kind": "transposed_conv", "k": k, "c": c, "r": kernel, "s": kernel, "y": y, "x": x}
        row |= {"stride": stride, "pad": pad, "groups": groups}
        row["weight_elements"] = k * (c // groups) * kernel**2 + k * bias
        self._put(row)
        height, width = (stride * (side - 1) + kernel - 2 * pad for side in (y, x))
        self.shape = (k, height, width)

    def resize(self, name: str, height: int, width: int) -> None:
        """Add an interpolation to `height` x `width`."""
        self.moved(name, "resize", written=self.channels * height * width)
        self.shape = (self.channels, height, width)

    def linear(self, name: str, k: int, *, bias: bool = True, act: bool = False) -> None:
        """Map every token (or the one there is) to `k` features, with the activation after it if there is one."""
        c, m = self.channels, self.places
        weights = k * c + k * bias
        self._put({"name": name, "kind": "gemm", "k": k, "c": c, "y": m, "weight_elements": weights})
        self.shape = (k, m, 1)
        if act:
            self.act(f"{name}:act")

    def product(self, name: str, m: int, c: int, k: int, repeats: int) -> None:
        """Add `repeats` products of two activations, `m x c` by `c x k`; the present shape stays."""
        self._put({"name": name, "kind": "matmul", "k": k, "c": c, "y": m, "repeats": repeats})

    def norm(self, name: str, kind: str = "norm") -> None:
        """Add a normalisation with scale and shift per channel."""
        self.moved(name, kind, weights=2 * self.channels)

    def act(self, name: str) -> None:
        """Add an activation function."""
        self.moved(name, "activation")

    def add(self, name: str, weights: int = 0) -> None:
        """Add the sum (or product) of two maps of the present shape; `weights` of them are learnt."""
        self.moved(name, "eltwise", read=2 * self.size, weights=weights)

    def add_to(self, name: str, *rows: int) -> None:
        """Add the sum (or product) of the present map and the results of these rows."""
        self.reading(self.last, *rows)
        self.add(name)

    def pool(self, name: str, kernel: int, stride: int, *, pad: int = 0, ceil: bool = False) -> None:
        """Add a pooling; `ceil`: a last window that reaches over the edge counts."""
        height, width = self._sides(kernel, stride, 2 * pad + (stride - 1 if ceil else 0))
        self.moved(name, "pool", written=self.channels * height * width)
        self.shape = (self.channels, height, width)

    def pool_to(self, name: str, side: int = 1) -> None:
        """Add a pooling to `side` x `side`."""
        self.moved(name, "pool", written=self.channels * side**2)
        self.shape = (self.channels, side, side)

    def concat(self, name: str, shapes: Sequence[Shape]) -> None:
        """Join maps of equal height and width along their channels."""
        self.shape = (sum(shape[0] for shape in shapes), *shapes[0][1:])
        self.moved(name, "concat")

    def moved(
        self, name: str, kind: str, *, read: int | None = None, written: int | None = None, weights: int = 0
    ) -> None:
        """Add an operator without products; it reads and writes the present map where no number of elements is given."""
        figures = {"input_elements": self.size if read is None else read}
        figures |= {"output_elements": self.size if written is None else written, "weight_elements": weights}
        self._put({"name": name, "kind": kind, **figures})

    def squeeze_excitation(self, name: str, squeezed: int) -> None:
        """Scale channels by two 1x1 convolutions of their means."""
        shape, scaled = self.shape, self.last
        self.pool_to(f"{name}.mean")
        self.conv(f"{name}.fc1", squeezed, norm=False)
        self.conv(f"{name}.fc2", shape[0], norm=False)
        self.shape = shape
        self.reading(scaled, self.last)
        self.moved(f"{name}.scale", "eltwise", read=self.size + shape[0])

    def share(self, name: str, row: int = -1) -> None:
        """Make later rows share the weights of this row (the last one by default) under `name`."""
        self.rows[row]["shared_weights"] = {name: self.rows[row]["weight_elements"]}

    def classify(self, name: str, classes: int = 1000) -> None:
        """Add global mean and a linear layer."""
        self.pool_to("avgpool")
        self.linear(name, classes)

    def _sides(self, kernel: int, stride: int, added: int) -> tuple[int, int]:
        """Return height and width after a window has moved over the map, each side of which is longer by `added`."""
        height, width = ((side + added - kernel) // stride + 1 for side in self.shape[1:])
        return height, width if self.dimensions == 2 else 1
