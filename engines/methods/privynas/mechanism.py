"""The Laplace mechanism on a tensor that leaves a device (odema-2024 section A.4).

A tensor `a` is scaled down so that no element is beyond the bound B, and every element gets its own noise:

    a <- a / max(1, |a|_inf / B),   a' = a + u,   u ~ Lap(0, b),   b = 2 B / epsilon

2 B is how far one element of two clipped tensors can differ at most, so each element by itself is epsilon-private. All of the `n`
elements together may differ by n x 2 B in the sum of their distances, so that what holds for the whole tensor whatever two inputs
are compared is n x epsilon (composition); the publication states the first.

Noise is drawn in floating point: the gaps between representable values, which Mironov (CCS 2012) attacks, are not closed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Float32Array = npt.NDArray[np.float32]


def scale_of(bound: float, epsilon: float) -> float:
    """Scale b of the noise of a bound and a budget."""
    return 2 * bound / epsilon


def budget_of(bound: float, scale: float) -> float:
    """Return the epsilon that noise of that scale gives at a bound."""
    return 2 * bound / scale


def noise(stream: np.random.Generator, shape: tuple[int, ...]) -> Float32Array:
    """Draw noise of scale 1: the difference of two exponential variables is a Laplace variable."""
    first, second = (stream.standard_exponential(shape, dtype=np.float32) for _ in range(2))
    return np.asarray(first - second, np.float32)
