"""Cycles of matrix products on a square systolic array that keeps outputs in place.

Source: SCALE-Sim (Samajdar et al., ISPASS 2020): a fold of S x S outputs with sums of length T takes 2 S + S + T - 2 cycles, and
there are ceil(rows / S) x ceil(columns / S) folds. goyal-2023 section 4.6 uses that simulator.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.methods.myml.layers import LayerRemainder

Product = tuple[int, int, int]  # rows, length of the sums, columns


def cycles(product: Product, side: int) -> int:
    """Return the cycles of one product."""
    rows, length, columns = product
    if min(product) < 1:
        return 0
    return (3 * side + length - 2) * -(-rows // side) * -(-columns // side)


def forward(kept: LayerRemainder, images: int = 1) -> Product:
    """Return the windows x filters, summed over channels and taps."""
    return images * kept.layer.positions, kept.channels * kept.layer.taps, kept.filters


def error(kept: LayerRemainder, images: int = 1) -> Product:
    """Return the errors of the inputs: their pixels x channels, summed over filters and taps."""
    height, width = kept.layer.size_in
    return images * height * width, kept.filters * kept.layer.taps, kept.channels


def update(kept: LayerRemainder, images: int = 1) -> Product:
    """Return the cost of weights: channels and taps x filters, summed over the positions of all images."""
    return kept.channels * kept.layer.taps, images * kept.layer.positions, kept.filters


def utilisation(products: Iterable[Product], side: int) -> float:
    """Return the share of the processing elements that multiply, mean over the cycles."""
    held = list(products)
    total = sum(cycles(each, side) for each in held)
    return sum(a * b * c for a, b, c in held) / (total * side * side) if total else 0.0
