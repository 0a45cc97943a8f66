"""The mappings that MAESTRO's tables do not cover, against a walk over every single step."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import ceil

import numpy as np
import pytest

from engines.cost.dataflow.model import ArrayFigures, LayerShapes, mapping_costs

BANDWIDTH, HOP = 5, 2


def message(elements: int) -> int:
    return HOP + ceil(elements / BANDWIDTH) - 1


def parts(total: int, size: int) -> list[int]:
    """Sizes of the tiles of `total`."""
    return [min(size, total - begin) for begin in range(0, total, size)]


def moved(*counts: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """(position, loop that moved on or -1 at the start) of every step: the loops inside it are back at 0."""
    for here in itertools.product(*map(range, counts)):
        yield here, max((i for i, value in enumerate(here) if value > 0), default=-1)


def walk(mapping: str, layer: dict[str, int], elements: int) -> tuple[float, int, int]:
    """(cycles, elements fetched, outputs written) of one layer, step by step in the order K, Y, X, C."""
    k, c, r, s, stride = (layer[name] for name in ("k", "c", "r", "s", "stride"))
    height, width = (layer["y"] - r) // stride + 1, (layer["x"] - s) // stride + 1
    flat = mapping == "yxp_os"
    cluster = min(elements, 8 if flat else 16)
    k_tiles = parts(k, 1 if flat else cluster)
    y_tiles = parts(height, elements // cluster)
    x_tiles = parts(width, cluster if flat else 1)
    fresh = min(s, stride)
    kernels = k_tiles[0] * r * s
    inside = r * (s + (x_tiles[0] - 1) * fresh)
    compute = r * s + message(inside + kernels)
    cycles, fetched, out = 0.0, 0, 0
    for (ki, yi, xi, ci), loop in moved(len(k_tiles), len(y_tiles), len(x_tiles), c):
        columns = x_tiles[xi]
        window = y_tiles[yi] * r * (s + (columns - 1) * fresh)
        inputs = {-1: window, 0: 0, 1: window, 2: window if c > 1 else y_tiles[yi] * r * columns * fresh, 3: window}[
            loop
        ]
        weights = kernels if loop in (-1, 0, 3) else 0
        outputs = k_tiles[ki] * y_tiles[yi] * columns
        leaves = mapping != "ykp_os_kept" or ci == c - 1
        fetched += inputs + weights
        out += outputs * leaves
        if loop == -1:
            cycles += compute + message(inputs + weights)
        else:
            cycles += max(compute, message(inputs + weights), message(outputs) if leaves else 0)
    return cycles, fetched, out


LAYERS = [
    {"k": 1, "c": 1, "r": 1, "s": 1, "y": 1, "x": 1, "stride": 1},
    {"k": 5, "c": 3, "r": 3, "s": 3, "y": 9, "x": 11, "stride": 1},
    {"k": 18, "c": 2, "r": 3, "s": 2, "y": 12, "x": 20, "stride": 2},
    {"k": 33, "c": 1, "r": 1, "s": 1, "y": 7, "x": 9, "stride": 1},
    {"k": 16, "c": 4, "r": 1, "s": 1, "y": 10, "x": 1, "stride": 1},
    {"k": 2, "c": 7, "r": 5, "s": 4, "y": 5, "x": 21, "stride": 3},
    {"k": 3, "c": 1, "r": 2, "s": 2, "y": 14, "x": 18, "stride": 4},
]


@pytest.mark.parametrize("mapping", ["ykp_os_rows", "ykp_os_kept", "yxp_os"])
@pytest.mark.parametrize("elements", [3, 16, 40, 100, 1000])
@pytest.mark.parametrize("layer", LAYERS)
def test_closed_forms_are_the_sum_over_steps(mapping: str, elements: int, layer: dict[str, int]) -> None:
    shapes = LayerShapes(
        **{name: np.array([value]) for name, value in layer.items()}, depthwise=np.array([False]), copies=np.array([1])
    )
    costs = mapping_costs(mapping, shapes, ArrayFigures(elements, BANDWIDTH, HOP))
    cycles, fetched, out = walk(mapping, layer, elements)
    # The other accesses of the two levels, once each: 4 per MAC; tensors stored, and outputs read at stride 1.
    used_y, used_x = (layer[size] for size in ("y", "x"))
    stored = layer["c"] * used_y * used_x + layer["k"] * layer["c"] * layer["r"] * layer["s"]
    read = layer["k"] * (used_y - layer["r"] + 1) * (used_x - layer["s"] + 1)
    assert costs.cycles[0] == cycles
    assert costs.level1_accesses[0] == 4 * costs.macs[0] + fetched
    assert costs.level2_accesses[0] == fetched + stored + out + read
