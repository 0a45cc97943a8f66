"""Synthetic recordings, for trying things out: drawn, not recorded, and marked so wherever they are shown.

Routes are correlated random walks: stretches of straight ways and of bends whose curvature is drawn log-uniformly per route, so
that some routes are winding and some are straight (goyal-2023 Figure 3.11 sorts its routes by average curvature); their bounds were
chosen in sight of the published update intervals, so these are no prediction. Videos are
series of speed and of pixel motion in three classes, as many as goyal-2023 section 3.4.1 tests (12 low, 26 medium, 7 high of
45). In the weather, rain follows humidity and not temperature (goyal-2023 section 3.2.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.numeric.random_streams import random_stream
from engines.recordings.recording import Track

UNITS_OF: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "routes": {"x": "m", "y": "m"},
        "videos": {"speed": "m/s", "motion_vectors": "1", "pixel_motion": "1"},
        "weather": {"temperature": "degC", "humidity": "share", "rain": "mm/h"},
    }
)
CURVATURES_PER_M = (1 / 60, 1 / 3)  # of bends: least and most of a route's mean
_STRETCHES_S = (25.0, 8.0)  # mean length of a way, and of a bend: of the straightest and of the most winding route
_VIDEO_CLASSES = ((12, 2.0), (26, 8.0), (7, 20.0))  # how many of 45, typical pixels between frames


def draw(kind: str, tracks: int, duration_s: float, step_s: float, seed: int) -> tuple[Track, ...]:
    """Return synthetic tracks of a kind. Equal arguments give equal tracks; a larger `tracks` only appends tracks."""
    count = max(2, round(duration_s / step_s) + 1)
    times = np.arange(count, dtype=np.float64) * step_s
    return tuple(
        Track(f"synthetic {number + 1}", times, _DRAWN[kind](random_stream(seed, kind, number), times, step_s, number))
        for number in range(tracks)
    )


def _route(random: np.random.Generator, times: FloatArray, step_s: float, _number: int) -> dict[str, FloatArray]:
    winding = random.random()
    curvature, stretch_s = (low * (high / low) ** winding for low, high in (CURVATURES_PER_M, _STRETCHES_S))
    bends = _alternating(random, times, step_s, curvature, stretch_s)
    speed = _smooth(random, times.size, step_s, mean=2.6, spread=0.25, memory_s=20.0).clip(0.5, 6.0)  # of a runner
    wobble = _smooth(random, times.size, step_s, mean=0.0, spread=0.004, memory_s=2.0)
    heading = random.uniform(0, 2 * np.pi) + np.cumsum((bends + wobble) * speed * step_s)
    x, y = (np.concatenate(([0.0], np.cumsum(speed * f(heading) * step_s)[:-1])) for f in (np.sin, np.cos))
    return {"x": x, "y": y}


def _alternating(
    random: np.random.Generator, times: FloatArray, step_s: float, curvature: float, stretch_s: float
) -> FloatArray:
    """Return the curvature at every time: straight ways and bends to either side in turn."""
    bends = np.zeros(times.size)
    at, bend = 0, bool(random.random() < 0.5)
    while at < times.size:
        steps = max(1, round(random.uniform(0.5, 1.5) * stretch_s / step_s))
        if bend:
            bends[at : at + steps] = random.choice((-1.0, 1.0)) * curvature * random.uniform(0.5, 1.5)
        at, bend = at + steps, not bend
    return bends


def _video(random: np.random.Generator, times: FloatArray, step_s: float, number: int) -> dict[str, FloatArray]:
    # Spread the classes over the numbers, so that every part of the tracks has all of them.
    ends = np.cumsum([count for count, _ in _VIDEO_CLASSES])
    _, typical = _VIDEO_CLASSES[int(np.searchsorted(ends, (number * 7919) % 45, side="right"))]
    motion = typical * np.exp(_smooth(random, times.size, step_s, mean=0.0, spread=0.4, memory_s=8.0))
    # Speed moves the picture; things may also move before a camera that stands still, which motion vectors see.
    own = random.beta(5, 1.5)
    speed = 0.5 * motion * own * np.exp(0.08 * random.standard_normal(times.size))
    # The search for matching blocks is bounded: fast motion is not seen whole (goyal-2023 section 3.3.1).
    vectors = 16.0 * np.tanh(motion / 16.0) * np.exp(0.08 * random.standard_normal(times.size))
    return {"speed": speed, "motion_vectors": vectors, "pixel_motion": motion}


def _weather(random: np.random.Generator, times: FloatArray, step_s: float, _number: int) -> dict[str, FloatArray]:
    day = 2 * np.pi * times / 86_400.0
    temperature = 15 - 6 * np.cos(day) + _smooth(random, times.size, step_s, mean=0.0, spread=2.0, memory_s=20_000.0)
    humidity = (0.6 + _smooth(random, times.size, step_s, mean=0.0, spread=0.22, memory_s=15_000.0)).clip(0.15, 1.0)
    return {"temperature": temperature, "humidity": humidity, "rain": 12.0 * np.maximum(humidity - 0.8, 0.0) / 0.2}


def _smooth(
    random: np.random.Generator, count: int, step_s: float, *, mean: float, spread: float, memory_s: float
) -> FloatArray:
    """Return the Gaussian noise that forgets over `memory_s` (autoregressive of first order)."""
    keep = float(np.exp(-step_s / memory_s))
    noise = random.standard_normal(count) * np.sqrt(1 - keep**2)
    noise[0] /= np.sqrt(1 - keep**2)
    return mean + spread * np.array(list(accumulate(noise.tolist(), lambda last, new: keep * last + new)))


_DRAWN: Mapping[str, Callable[[np.random.Generator, FloatArray, float, int], dict[str, FloatArray]]] = MappingProxyType(
    {"routes": _route, "videos": _video, "weather": _weather}
)
