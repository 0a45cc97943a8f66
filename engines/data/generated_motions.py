"""Motions of a body that are drawn, not recorded: they say nothing of real wearers, and are there to try a search with.

A window has the three axes of an accelerometer in g: gravity along a direction of the activity, a swing with its harmonic where
there is one, and noise. Activities are those of w-HAR by name alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.data.data_set import DataSet, Split
from engines.data.scaling import Scaling

TITLE = "Generated motions"
SOURCE = "generated: gravity, swings and noise, no recording of a person"
WINDOW_S = 1.6
_SHARES = (0.6, 0.2, 0.2)
_TILT, _SPREAD, _NOISE_G = 0.35, 0.25, 0.08


@dataclass(frozen=True)
class _Motion:
    """Direction of gravity, swings per second, their height in g, share of the harmonic, and how far gravity turns in a window."""

    gravity: tuple[float, float, float]
    swings_hz: float = 0.0
    height_g: float = 0.0
    harmonic: float = 0.0
    turn: float = 0.0


_MOTIONS = {
    "jump": _Motion((0.0, 0.0, 1.0), 2.2, 1.0, 0.3),
    "lie down": _Motion((1.0, 0.0, 0.1)),
    "sit": _Motion((0.3, 0.5, 0.8)),
    "stairs down": _Motion((0.0, 0.1, 1.0), 1.9, 0.40, 0.8),
    "stairs up": _Motion((0.0, 0.3, 0.95), 1.5, 0.30, 0.4),
    "stand": _Motion((0.0, 0.0, 1.0)),
    "transition": _Motion((0.2, 0.3, 0.9), turn=1.2),
    "walk": _Motion((0.0, 0.1, 1.0), 1.8, 0.35, 0.4),
}
CLASSES = tuple(_MOTIONS)
CHANNELS = 3


def generated_motions(count: int, samples: int, stream: Callable[..., np.random.Generator]) -> DataSet:
    """Generate `count` windows, equally many of each activity, in three splits.

    Args:
        count: count of all splits together, from 40 on.
        samples: samples of a window, which lasts 1.6 s.
        stream: keyed random streams (`Context.random`).
    """
    random, classes = stream("generated-motions"), len(CLASSES)
    labels: IntArray = np.arange(count, dtype=np.int64) % classes
    windows = np.stack([_window(_MOTIONS[CLASSES[int(label)]], samples, random) for label in labels])
    ends = np.rint(np.cumsum(_SHARES) * count / classes).astype(int) * classes
    ends[-1] = count
    parts = [
        Split(windows[low:high, ..., None].astype(np.float32), labels[low:high].copy())
        for low, high in zip((0, *ends[:-1]), ends, strict=True)
    ]
    scaling = Scaling.unchanged(CHANNELS, tuple(f"acceleration {axis} in g" for axis in "xyz"))
    return DataSet("generated-motions", TITLE, parts[0], parts[1], parts[2], CLASSES, SOURCE, scaling=scaling)


def _window(motion: _Motion, samples: int, random: np.random.Generator) -> FloatArray:
    """Return one window of generated accelerations, shape `3 x samples`."""
    time_s = np.linspace(0, WINDOW_S, samples)
    gravity = np.array(motion.gravity) + _TILT * random.standard_normal(3) / 2
    gravity = gravity / np.linalg.norm(gravity)
    turned = motion.turn * (1 + _SPREAD * random.standard_normal()) * np.clip((time_s - 0.4) / 0.8, 0, 1)
    still = gravity[:, None] * np.cos(turned) + np.roll(gravity, 1)[:, None] * np.sin(turned)
    rate_hz = motion.swings_hz * (1 + 0.3 * _SPREAD * random.standard_normal())
    phase = 2 * np.pi * (rate_hz * time_s + random.random())
    swing = np.sin(phase) + motion.harmonic * np.sin(2 * phase + 1.0)
    along = gravity + 0.3 * random.standard_normal(3)
    height_g = motion.height_g * (1 + _SPREAD * random.standard_normal())
    found: FloatArray = (
        still + height_g * along[:, None] * swing + _NOISE_G * random.standard_normal((CHANNELS, samples))
    )
    return found
