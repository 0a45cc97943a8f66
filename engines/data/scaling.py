"""Scaling of recorded signals to features, by mean and standard deviation of each channel of the training split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError

Singles = npt.NDArray[np.float32]
# Exported code says this of a data set without scaling, such as one of an earlier version or of your own arrays.
NOT_STORED = (
    "The data set has no means and standard deviations of its channels. The code takes its values unscaled.",
    "Where an earlier import scaled the signals without storing both, the code gives wrong classes for recorded values.",
    "Import the data set again to get code that scales.",
)


@dataclass(frozen=True, eq=False)
class Scaling:
    """The mean and standard deviation of each channel: feature = (recorded value - mean) / deviation.

    Attributes:
        mean, deviation: in the unit of the recording, float64 of shape `channels`.
        channels: names, with units where they are known; empty where no name is known.

    Raises:
        ProblemError: other shapes, a number that is not finite, or a deviation that is not above 0.
    """

    mean: FloatArray
    deviation: FloatArray
    channels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "channels", tuple(self.channels))
        for name in ("mean", "deviation"):
            array = np.array(getattr(self, name), dtype=np.float64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        same = self.mean.ndim == 1 and self.mean.shape == self.deviation.shape
        named = len(self.channels) in (0, self.mean.size)
        with np.errstate(over="ignore", invalid="ignore"):
            usable = all(np.isfinite(part).all() for part in self.parts) and (self.parts[2] > 0).all()
        if not (same and named and usable):
            accepted = (
                "a finite mean, a standard deviation above 0 and perhaps a name of each channel, within 32-bit numbers"
            )
            raise ProblemError("data.scaling", self.content, accepted)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scaling) and self.content == other.content

    def __hash__(self) -> int:
        return hash(repr(self.content))

    @classmethod
    def of(cls, recorded: npt.NDArray[np.floating[Any]], channels: Sequence[str] = ()) -> Self:
        """Return the scaling by which windows `n x channels x samples` get mean 0 and deviation 1.

        A channel that never changes keeps deviation 1: sums of 32-bit numbers are exact in 64 bits, so that its deviation is 0.
        """
        held = np.asarray(recorded, dtype=np.float32)
        mean = held.mean(axis=(0, 2), dtype=np.float64)
        deviation = held.std(axis=(0, 2), dtype=np.float64)
        deviation[deviation < np.finfo(np.float32).tiny] = 1.0
        return cls(mean, deviation, tuple(channels))

    @classmethod
    def unchanged(cls, count: int, channels: Sequence[str] = ()) -> Self:
        """Return the scaling of `count` channels whose features are the recorded values."""
        return cls(np.zeros(count), np.ones(count), tuple(channels))

    @property
    def parts(self) -> tuple[Singles, Singles, Singles]:
        """The mean as a sum of two 32-bit numbers, so that a large one loses nothing, and the deviation; of shape `channels`."""
        mean = self.mean.astype(np.float32)
        return mean, (self.mean - mean).astype(np.float32), self.deviation.astype(np.float32)

    def scaled(self, recorded: npt.NDArray[np.floating[Any]]) -> Singles:
        """Return features of windows `n x channels x samples`.

        Steps are those of 32-bit numbers, one after the other, as code for a device takes them: both give the same bits.
        """
        mean, rest, deviation = (part[:, None] for part in self.parts)
        return np.asarray((np.asarray(recorded, dtype=np.float32) - mean - rest) / deviation)

    @property
    def content(self) -> dict[str, Any]:
        """The section of a document."""
        return {"channels": list(self.channels), "mean": self.mean.tolist(), "deviation": self.deviation.tolist()}
