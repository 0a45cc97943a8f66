"""Random layers of the kinds that a network has, as tables of operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engines.cost.soc.operations import OperationTable
from engines.workloads.network import COMPUTE_KINDS

_SIZES = (1, 7, 14, 28, 56, 112, 224)  # of feature maps
_KERNELS = (1, 3, 5, 7)
_WIDEST = 4096
_MOST_REDUCED = 1000  # products for each element of what follows


def random_layers(
    operations: OperationTable, starts: tuple[int, ...], count: int, random: np.random.Generator
) -> tuple[OperationTable, tuple[int, ...]]:
    """Draw `count` layers, and return them with the first operation of each.

    A product with log-uniform channels and a feature map of a usual size, then up to as many operations of the other kinds that run
    in the network as follow in any of its layers, on what the product writes.

    Args:
        operations: operations of the network, grouped by `starts`.
        starts: first operation of each layer.
        count: number of layers.
        random: numbers.
    """
    kinds = operations.running_kinds
    first = [kind for kind in kinds if kind in ("conv", "gemm", "transposed_conv")]
    others = [kind for kind in kinds if kind not in first] or first
    slots = max(1, int(np.add.reduceat(operations.runs.astype(np.int64), np.asarray(starts)).max()) - 1)
    size = random.choice(_SIZES, count)
    kernel = np.minimum(random.choice(_KERNELS, count), size)
    read, write = (np.exp(random.uniform(0, np.log(_WIDEST), count)).round() for _ in range(2))
    pixels = size.astype(np.float64) ** 2
    weights, elements = read * write * kernel**2, write * pixels
    follower = random.choice(len(others), (count, slots))
    follows = np.arange(slots) < random.integers(slots + 1, size=count)[:, None]
    multiplies = np.isin(np.array(others), COMPUTE_KINDS)[follower]
    macs = elements[:, None] * np.exp(random.uniform(0, np.log(_MOST_REDUCED), (count, slots))) * multiplies
    heads = np.array(first)[random.choice(len(first), count)]
    each = np.repeat(elements[:, None], slots, axis=1)

    def rows(head: npt.ArrayLike, after: npt.ArrayLike) -> npt.NDArray[Any]:
        return np.column_stack([head, after]).reshape(-1)

    kinds = tuple(str(kind) for kind in rows(heads, np.array(others)[follower]))
    table = OperationTable(
        names=tuple(f"operation {number}" for number in range(count * (slots + 1))),
        kinds=kinds,
        runs=rows(np.ones(count, bool), follows),
        macs=rows(weights * pixels, macs),
        activation_elements=rows(read * pixels + elements, 2 * each),
        output_elements=rows(elements, each),
        weight_elements=rows(weights, np.zeros((count, slots))),
        launches=np.ones(count * (slots + 1)),
        finer_kinds=kinds,
        unrolled_elements=np.zeros(count * (slots + 1)),
        weight_bits=np.zeros(count * (slots + 1)),
        activation_bits=np.zeros(count * (slots + 1)),
    )
    return table, tuple(range(0, len(table), slots + 1))
