"""Matrix products whose sums are equal to the last digit on every processor."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray


def product_in_order(left: npt.ArrayLike, right: npt.ArrayLike) -> FloatArray:
    """Return the matrix product, with the terms of each sum added in order.

    The order of the sums in `left @ right` depends on the processor. A difference in the last digit decides between equal
    designs and so changes what a search evaluates next. Intended for sums of few terms.

    Args:
        left: shape `... x k`.
        right: shape `k x ...`.

    Returns:
        Shape `... x ...`, first the axes of `left`.
    """
    factors, values = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if factors.shape[-1] != len(values):
        raise ValueError(f"The last axis of {factors.shape} must be as long as the first one of {values.shape}.")
    total = np.zeros(factors.shape[:-1] + values.shape[1:])
    for place, value in enumerate(values):
        total += np.multiply.outer(factors[..., place], value)
    return total
