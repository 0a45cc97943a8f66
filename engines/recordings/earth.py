"""Positions on the earth: latitude and longitude of WGS84 as vectors, which have no jump at the date line and the poles."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray

EQUATOR_RADIUS_M = 6_378_137.0  # WGS84
ECCENTRICITY_SQUARED = 6.694379990141e-3  # WGS84
MEAN_RADIUS_M = 6_371_008.8  # IUGG


def axes(latitude_deg: FloatArray, longitude_deg: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the unit vectors to the east, to the north and up at each place, `n x 3` each."""
    latitude, longitude = np.radians(latitude_deg), np.radians(longitude_deg)
    sin_lat, cos_lat, sin_lon, cos_lon = np.sin(latitude), np.cos(latitude), np.sin(longitude), np.cos(longitude)
    east = np.stack((-sin_lon, cos_lon, np.zeros_like(latitude)), axis=-1)
    north = np.stack((-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat), axis=-1)
    return east, north, np.stack((cos_lat * cos_lon, cos_lat * sin_lon, sin_lat), axis=-1)


def positions_m(up: FloatArray) -> FloatArray:
    """Return positions on the ellipsoid in metres from the centre of the earth, `n x 3`; `up` is from `axes`."""
    radius = EQUATOR_RADIUS_M / np.sqrt(1 - ECCENTRICITY_SQUARED * up[..., 2:] ** 2)
    return radius * up * (1, 1, 1 - ECCENTRICITY_SQUARED)


def distance_m(between_m: FloatArray) -> FloatArray:
    """Return the distance along the surface in metres, `n`; `between_m` are the differences of two positions, `n x 3`."""
    chord = np.linalg.norm(between_m, axis=-1) / (2 * MEAN_RADIUS_M)
    return np.asarray(2 * MEAN_RADIUS_M * np.arcsin(np.minimum(chord, 1.0)))


def degrees_of(up: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return latitude and longitude in degrees, `n` each, of vectors of any length, `n x 3`; longitudes continue over ±180."""
    x, y, z = up.T
    return np.degrees(np.arctan2(z, np.hypot(x, y))), np.unwrap(np.degrees(np.arctan2(y, x)), period=360.0)
