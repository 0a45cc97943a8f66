"""Throughput of a wireless channel, a value for each window of time.

Source: odema-2024 chapter 5, which draws the throughput of every window from a Rayleigh distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engines.contract.arrays import FloatArray


class Channel(Protocol):
    """The throughput of a channel."""

    @property
    def mean_s_per_bit(self) -> float:
        """Mean over windows of the seconds that a bit takes: what the mean time of a transfer follows."""
        ...

    def bits_per_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return the throughput of windows of that shape, as in `episodes x windows`, all independent."""
        ...


@dataclass(frozen=True)
class FixedChannel:
    """The same throughput in every window."""

    rate_bits_per_s: float

    def __post_init__(self) -> None:
        _above_zero(self.rate_bits_per_s, "rate_bits_per_s")

    @property
    def mean_s_per_bit(self) -> float:  # noqa: D102
        return 1 / self.rate_bits_per_s

    def bits_per_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        return np.full(shape, self.rate_bits_per_s)


@dataclass(frozen=True)
class RayleighChannel:
    """Throughput phi with the density phi / s^2 exp(-phi^2 / (2 s^2)) of scale s (odema-2024 chapter 5).

    Its mean is s sqrt(pi / 2), and that of 1 / phi is sqrt(pi / 2) / s.
    """

    scale_bits_per_s: float

    def __post_init__(self) -> None:
        _above_zero(self.scale_bits_per_s, "scale_bits_per_s")

    @property
    def mean_s_per_bit(self) -> float:  # noqa: D102
        return math.sqrt(math.pi / 2) / self.scale_bits_per_s

    def bits_per_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        return random.rayleigh(self.scale_bits_per_s, shape)


def _above_zero(value: float, name: str) -> None:
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be above 0 and finite. Got {value!r} instead.")
