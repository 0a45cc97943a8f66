"""Recordings: tracks of one or more columns over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.recordings.earth import axes, degrees_of

ROUTE = "route"
_PLACE = ("latitude", "longitude")
GAP_STEPS = 10  # a step so many times as long as the usual one is a gap


@dataclass(frozen=True, eq=False)
class Track:
    """Columns on one time axis.

    Attributes:
        times_s: ascending, n; the first need not be 0.
        columns: name -> values in the unit of the recording's column of that name, n.
    """

    title: str
    times_s: FloatArray
    columns: Mapping[str, FloatArray]

    @property
    def duration_s(self) -> float:
        """From the first point to the last one."""
        return float(self.times_s[-1] - self.times_s[0])

    @property
    def gap(self) -> int | None:
        """Number of the point after which nothing is told for long, the longest such; None where there is none."""
        steps = np.diff(self.times_s)
        longest = int(steps.argmax())
        return longest if steps[longest] > longest_step_s(self.times_s) else None

    def resampled(self, step_s: float) -> Track:
        """Return the same at steps from the first point on, by straight lines between points; the clock starts at 0."""
        count = int(np.floor(self.duration_s / step_s + 1e-9)) + 1
        times = np.arange(count, dtype=np.float64) * step_s
        at = times + self.times_s[0]
        columns = {name: np.interp(at, self.times_s, values) for name, values in self.columns.items()}
        if set(_PLACE) <= columns.keys():  # half way from 179° to -179° is not 0°, and over a pole longitudes jump
            *_, up = axes(*(self.columns[name] for name in _PLACE))
            between = np.stack([np.interp(at, self.times_s, part) for part in up.T], axis=-1)
            columns |= dict(zip(_PLACE, degrees_of(between), strict=True))
        return Track(self.title, times, columns)


def longest_step_s(times_s: npt.ArrayLike) -> float:
    """Return the longest step of ascending times that is no gap: `GAP_STEPS` times what nine of ten steps have at most."""
    return GAP_STEPS * float(np.percentile(np.diff(np.asarray(times_s, np.float64)), 90, method="lower"))


@dataclass(frozen=True, eq=False)
class Recording:
    """A recording of the catalogue.

    Attributes:
        units: column -> its unit (`hardware.units`: deg, m/s, W, share, ...).
        measures: what the sensor that takes much power says: "route" (of latitude and longitude, or x and y), or a column.
        synthetic: whether nobody recorded it: drawn by a generator.
        tracks: at least one.
    """

    slug: str
    title: str
    units: Mapping[str, str]
    measures: str
    synthetic: bool
    tracks: tuple[Track, ...]
    sources: Mapping[str, str] = field(default_factory=dict)
