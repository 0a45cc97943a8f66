"""The space of section B.4.3 as genes; the publication names no ranges, so that we chose these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.methods.eexnas.architecture import Architecture, Block, SizedNetwork, architecture_of, laid_out
from engines.methods.eexnas.params import THRESHOLDS

FILTERS, KERNELS, STRIDES = (4, 8, 12, 16, 24, 32), (3, 5, 7, 9, 15), (1, 2, 4)
POOLS, POOL_STRIDES, HIDDEN = (0, 2, 3, 4), (1, 2, 4), (0, 16, 32, 64)
MOST_BLOCKS = 3
_BLOCK = (FILTERS, KERNELS, STRIDES, POOLS, POOL_STRIDES)
ARITHMETICS = {"float": (0,), "binary": (1,), "both": (0, 1)}
CHOICES = ((2, 3), *(_BLOCK * MOST_BLOCKS), HIDDEN, (False, True))
GENES = len(CHOICES)
_SIZES = np.array([len(each) for each in CHOICES])
_MOST_DRAWS = 50_000
Design = tuple[SizedNetwork, float]  # with the threshold of its exit


@dataclass(frozen=True)
class Space:
    """Networks for windows of one size that fit the memory of the device.

    Attributes:
        channels, samples: channels and samples of a window.
        ram_bytes: RAM of the device for the arrays that `ram_of` counts.
        ram_of: network -> its RAM in bytes.
        binary: allowed choices: 0 for 32-bit, 1 for binary.
    """

    channels: int
    samples: int
    classes: int
    ram_bytes: float
    ram_of: Callable[[SizedNetwork], float]
    binary: tuple[int, ...] = (0,)

    def laid(self, genes: IntArray) -> SizedNetwork | None:
        """Return the network of genes, shape `18`; None where a window is too short for it."""
        return laid_out(architecture_of_genes(genes), self.channels, self.samples, self.classes)

    def draw(self, count: int, random: np.random.Generator) -> IntArray:
        """Draw networks that can be laid out and fit the device, shape `count x 18`; fewer where they are hard to find."""
        found: list[IntArray] = []
        for _ in range(_MOST_DRAWS):
            if len(found) == count:
                break
            genes = canonical(random.integers(_SIZES))
            genes[-1] = self.binary[int(genes[-1]) % len(self.binary)]
            laid = self.laid(genes)
            if laid is not None and self.ram_of(laid) <= self.ram_bytes:
                found.append(genes)
        return np.array(found, dtype=np.int64).reshape(-1, GENES)

    @property
    def smallest(self) -> SizedNetwork:
        """The network that needs least of everything: fewest and narrowest layers, widest steps."""
        lengths = [(0, 0, len(STRIDES) - 1, 0, 0)] * MOST_BLOCKS
        laid = self.laid(canonical(np.array([0, *np.ravel(lengths), 0, self.binary[-1]])))
        assert laid is not None  # without a maximum every window is long enough
        return laid

    @property
    def largest(self) -> SizedNetwork:
        """The one that needs most."""
        widths = [(len(FILTERS) - 1, len(KERNELS) - 1, 0, 0, 0)] * MOST_BLOCKS
        laid = self.laid(canonical(np.array([1, *np.ravel(widths), len(HIDDEN) - 1, self.binary[0]])))
        assert laid is not None
        return laid


def canonical(genes: IntArray) -> IntArray:
    """Return the genes with those without effect set to 0, so that a network has one form."""
    found = np.array(genes, dtype=np.int64)
    if found[0] == 0:
        found[11:16] = 0
    for block in range(MOST_BLOCKS):
        if found[4 + 5 * block] == 0:
            found[5 + 5 * block] = 0
    return found


def architecture_of_genes(genes: IntArray) -> Architecture:
    """Return genes, shape `18`, as a network."""
    values = [choices[int(gene)] for choices, gene in zip(CHOICES, genes, strict=True)]
    blocks = []
    for number in range(values[0]):
        filters, kernel, stride, pool, pool_stride = values[1 + 5 * number : 6 + 5 * number]
        blocks.append(Block(filters, kernel, stride, pool, pool_stride if pool else 0))
    return Architecture(tuple(blocks), values[-2], bool(values[-1]))


def genes_of(architecture: Architecture) -> IntArray:
    """Return the same back again; raises ValueError for what is not in the space."""
    blocks = architecture.blocks
    genes = [CHOICES[0].index(len(blocks))]
    for number in range(MOST_BLOCKS):
        if number < len(blocks):
            each = blocks[number]
            if bool(each.pool) != bool(each.pool_stride):
                raise ValueError(each)
            genes += [
                FILTERS.index(each.filters), KERNELS.index(each.kernel), STRIDES.index(each.stride), POOLS.index(each.pool),
                POOL_STRIDES.index(each.pool_stride) if each.pool else 0,
            ]  # fmt: skip
        else:
            genes += [0] * len(_BLOCK)
    return np.array([*genes, HIDDEN.index(architecture.hidden), int(architecture.binary)], dtype=np.int64)


def read_decision(space: Space, decision: Mapping[str, Any]) -> Design:
    """Return the network of a decision and its threshold.

    Raises:
        DecisionError: no network of the space, or a threshold that is not searched.
    """
    threshold = decision.get("threshold")
    if threshold not in THRESHOLDS:
        raise DecisionError("decision.threshold", threshold, f"one of {', '.join(map(str, THRESHOLDS))}")
    try:
        laid = space.laid(genes_of(architecture_of(decision)))
    except (KeyError, TypeError, ValueError) as error:
        raise DecisionError("decision.blocks", decision.get("blocks"), "2 or 3 blocks of the space") from error
    if laid is None:
        raise DecisionError("decision.blocks", decision.get("blocks"), "windows that are wider than each maximum")
    return laid, float(threshold)


def unit_cube(genes: IntArray) -> FloatArray:
    """Return the genes from 0 to 1, shape `n x 18`, as the Gaussian processes take them."""
    scaled: FloatArray = np.atleast_2d(genes) / (_SIZES - 1)
    return scaled
