"""Stretches of recordings without a gap, and position fixes that cannot be right."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray
from engines.recordings.earth import axes, distance_m, positions_m

# Airliners in a jet stream move at up to 370 m/s over the ground, and receivers that may be exported stop at 515 m/s.
FASTEST_M_PER_S = 400.0
_SCATTER_M = 100.0  # of a poor fix; and what such a speed covers within stamps that are rounded to seconds
_NEAR_ZERO_DEG = 1.0


def pieces(times_s: FloatArray, longest_gap_s: float, fewest: int) -> tuple[list[slice], int, int]:
    """Cut ascending times where a step is longer than `longest_gap_s`.

    Returns:
        The stretches with at least `fewest` points, the number of gaps, and the number of stretches that were left out.
    """
    if not times_s.size:
        return [], 0, 0
    cuts = np.flatnonzero(np.diff(times_s) > longest_gap_s) + 1
    stretches = _stretches(cuts, times_s.size)
    kept = [each for each in stretches if each.stop - each.start >= fewest]
    return kept, cuts.size, len(stretches) - len(kept)


def impossible_fixes(times_s: FloatArray, latitude_deg: FloatArray, longitude_deg: FloatArray) -> BoolArray:
    """Find the fixes of a track that cannot be right: `zero_fixes`, and those that nothing is fast enough to reach.

    Fixes that follow each other within reach belong together. The most such fixes are taken as right; others
    count where the way from those that count takes at most `FASTEST_M_PER_S`.

    Args:
        times_s: ascending, n.
        latitude_deg: n.
        longitude_deg: from -180 or from 0 on, n.

    Returns:
        n, true for an impossible fix.
    """
    wrong = zero_fixes(latitude_deg, longitude_deg)
    *_, up = axes(latitude_deg[~wrong], longitude_deg[~wrong])
    wrong[~wrong] = _out_of_reach(times_s[~wrong], positions_m(up))
    return wrong


def zero_fixes(latitude_deg: FloatArray, longitude_deg: FloatArray) -> BoolArray:
    """Find fixes at exactly 0, 0, which receivers write without a position; none where other fixes lie near that place."""
    zero = (latitude_deg == 0) & (longitude_deg % 360.0 == 0)
    east = (longitude_deg + 180.0) % 360.0 - 180.0
    near = ~zero & (np.abs(latitude_deg) < _NEAR_ZERO_DEG) & (np.abs(east) < _NEAR_ZERO_DEG)
    return np.zeros_like(zero) if near.any() or zero.all() else zero


def _out_of_reach(times_s: FloatArray, places: FloatArray) -> BoolArray:
    """Return the fixes to leave out, n, of positions in metres, n x 3."""
    wrong = np.zeros(times_s.size, bool)
    jumps = np.flatnonzero(~_reachable(np.diff(times_s), places[1:] - places[:-1])) + 1
    if not jumps.size:
        return wrong
    stretches = _stretches(jumps, times_s.size)
    longest = max(range(len(stretches)), key=lambda number: stretches[number].stop - stretches[number].start)
    last = stretches[longest].stop - 1
    for stretch in stretches[longest + 1 :]:
        if _reachable(times_s[stretch.start] - times_s[last], places[stretch.start] - places[last]):
            last = stretch.stop - 1
        else:
            wrong[stretch] = True
    first = stretches[longest].start
    for stretch in reversed(stretches[:longest]):
        if _reachable(times_s[first] - times_s[stretch.stop - 1], places[first] - places[stretch.stop - 1]):
            first = stretch.start
        else:
            wrong[stretch] = True
    return wrong


def _reachable(duration_s: FloatArray | float, between_m: FloatArray) -> BoolArray:
    return np.asarray(distance_m(between_m) <= FASTEST_M_PER_S * duration_s + _SCATTER_M)


def _stretches(cuts: npt.NDArray[np.intp], count: int) -> list[slice]:
    bounds = [0, *cuts.tolist(), count]
    return [slice(begin, end) for begin, end in pairwise(bounds)]
