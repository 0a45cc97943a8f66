"""Weights of a model: matrices that every token passes, and tables of which a token reads one row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Projection:
    """A linear map of tokens, or a convolution over them.

    Attributes:
        name: name of the map within its block.
        inputs, outputs: features read and written per row, of all groups together.
        bias: whether each output has one.
        groups: independent maps of equal size; `inputs` groups with a kernel make a depthwise convolution.
        kernel: consecutive tokens that one output reads.
        tokens_per_row: tokens that make one row, such as the 4 tokens that a projector merges; 0: one row per sample.
        rows_per_token: rows that are computed per token, before a step of a convolution drops some.
    """

    name: str
    inputs: int
    outputs: int
    bias: bool = False
    groups: int = 1
    kernel: int = 1
    tokens_per_row: int = 1
    rows_per_token: int = 1

    @property
    def elements(self) -> int:
        """Weights with bias."""
        return self.macs_per_row + self.outputs * self.bias

    @property
    def macs_per_row(self) -> int:
        """Multiply-accumulates of one row."""
        return self.inputs * self.outputs * self.kernel // self.groups

    def rows(self, tokens: int) -> int:
        """Return the rows of one sample of `tokens` tokens."""
        if self.tokens_per_row == 0:
            return 1
        return -(-tokens // self.tokens_per_row) * self.rows_per_token


@dataclass(frozen=True)
class Table:
    """Rows of which a token reads one (words), or of which each token of a sample has its own (positions).

    Attributes:
        name: name of the table.
        rows: words or positions.
        width: elements of a row.
        head: whether its transpose is the head of the model as well (tied embeddings).
    """

    name: str
    rows: int
    width: int
    head: bool = False

    @property
    def elements(self) -> int:
        """Weights of the table."""
        return self.rows * self.width


def total_elements(weights: Iterable[Projection | Table]) -> int:
    """Return the weights of maps and tables together."""
    return sum(weight.elements for weight in weights)
