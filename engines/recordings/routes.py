"""Geometry of routes: positions on a plane, headings, curvature, and the error of a route that is sampled too rarely.

Source: goyal-2023 section 3.3.2. Equation 3.4, route error = sum of (d_measured - d_original)_t / total distance, is taken with
absolute differences, where d is the distance covered between two updates: measured along the straight line from one position
to the next, originally along the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.recordings.earth import axes, distance_m, positions_m

_STILL_M = 0.02  # a step below this has no direction


@dataclass(frozen=True, eq=False)
class Route:
    """Places of a route at equal steps of time.

    Attributes:
        step_s: from one place to the next.
        x_m, y_m: on a plane, n; to the east and to the north of the first place, and nearly so of others near to it.
        north_deg: direction of north at each place, from y over x, n; it turns on ways over the globe.
    """

    step_s: float
    x_m: FloatArray
    y_m: FloatArray
    north_deg: FloatArray | float = 0.0

    @property
    def way_m(self) -> FloatArray:
        """Distance covered from the begin on, in metres, shape `n`."""
        steps = np.hypot(np.diff(self.x_m), np.diff(self.y_m))
        return np.concatenate(([0.0], np.cumsum(steps)))


def route_of(columns: Mapping[str, FloatArray], step_s: float) -> Route:
    """Return the route of latitude and longitude in degrees (WGS84), or of x and y in metres, shape `n` each.

    The globe is rolled over the plane along the route, without sliding or turning: lengths and turns are those of geodesics
    (lengths within 0.01 %, steps of up to 100 km), anywhere on the globe. Straight lines between places are right within
    0.01 % where what lies between them stays within 100 km.
    """
    if "latitude" not in columns:
        return Route(step_s, columns["x"], columns["y"])
    east, north, up = axes(columns["latitude"], columns["longitude"])
    steps = np.diff(positions_m(up), axis=0)
    leaving, arriving = (
        np.arctan2(_products(steps, east[at]), _products(steps, north[at])) for at in (slice(None, -1), slice(1, None))
    )
    # A straight step changes its angle to the north, as meridians meet at the poles.
    change = (arriving - leaving + np.pi) % (2 * np.pi) - np.pi
    turned = np.concatenate(([0.0], -np.cumsum(change)))
    direction, length = leaving + turned[:-1], distance_m(steps)
    x, y = (np.concatenate(([0.0], np.cumsum(length * part(direction)))) for part in (np.sin, np.cos))
    return Route(step_s, x, y, np.degrees(turned))


def headings_deg(route: Route) -> FloatArray:
    """Return the direction of the step to each place in degrees, north 0, east 90, shape `n`; it stays while nothing moves."""
    return (_directions_deg(route) - route.north_deg) % 360.0


def _directions_deg(route: Route) -> FloatArray:
    """Return headings as `headings_deg` does, measured from the y axis towards the x axis."""
    dx, dy = np.diff(route.x_m), np.diff(route.y_m)
    angle = np.degrees(np.arctan2(dx, dy)) % 360.0
    moving = np.hypot(dx, dy) > _STILL_M
    last = np.maximum.accumulate(np.where(moving, np.arange(angle.size), -1))
    first = angle[moving.argmax()] if moving.any() else 0.0
    held = np.where(last >= 0, angle[np.maximum(last, 0)], first)
    return np.concatenate((held[:1], held))


def turns_deg(route: Route) -> FloatArray:
    """Return the change of heading in the last step, in degrees from 0 to 180, shape `n`."""
    change = np.abs((np.diff(_directions_deg(route)) + 180.0) % 360.0 - 180.0)
    return np.concatenate(([0.0], change))


def mean_curvature_per_m(route: Route) -> float:
    """Return the turning over distance in rad/m (goyal-2023 section 3.4.2); 0 for a route that does not move."""
    length = float(route.way_m[-1])
    return float(np.radians(turns_deg(route)).sum() / length) if length else 0.0


def window_errors(route: Route, intervals_s: FloatArray) -> FloatArray:
    """Return the error of going straight for an interval from each place on: (way - chord) / way.

    This is goyal-2023 equation 3.4 of one update. Windows end at the end of the route. While nothing moves the error is 0.

    Returns:
        n x k, 0 to 1; `intervals_s` has k entries.
    """
    count = route.x_m.size
    begin = np.arange(count, dtype=np.float64)[:, None]
    end = np.minimum(begin + intervals_s[None, :] / route.step_s, count - 1.0)
    x, y, way = (_between(values, end) for values in (route.x_m, route.y_m, route.way_m))
    chord = np.hypot(x - route.x_m[:, None], y - route.y_m[:, None])
    length = way - route.way_m[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(length > _STILL_M, np.clip(1.0 - chord / length, 0.0, 1.0), 0.0)


def _between(values: FloatArray, at: FloatArray) -> FloatArray:
    """Return values, shape `n`, at fractional indices, by straight lines; the result has the shape of `at`."""
    low = np.floor(at).astype(np.int64)
    high = np.minimum(low + 1, values.size - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def _products(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the scalar products of vectors, n x 3 each, added in one order on every processor."""
    parts = first * second
    return np.asarray(parts[:, 0] + parts[:, 1] + parts[:, 2])
