"""Heart beats that are drawn, not recorded: they say nothing of real hearts, and are there to try a search with.

A beat is a sum of bell curves (P, Q, R, S and T wave) with a wandering baseline and noise. In the second class the ST segment is
raised, the Q wave deeper and the T wave turned over, each by a share that is drawn; where it is small nobody could tell.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.data.data_set import DataSet, Split
from engines.data.scaling import Scaling

CLASSES = ("normal", "infarction")
TITLE = "Generated beats"
SOURCE = "generated: bell curves with noise, no recording of a heart"
_SHARES = (0.6, 0.2, 0.2)
# Place and width as shares of the window, height in mV: P, Q, R, S, ST segment, T.
_PLACES = np.array([0.22, 0.375, 0.40, 0.425, 0.50, 0.66])
_WIDTHS = np.array([0.025, 0.010, 0.011, 0.010, 0.045, 0.045])
_NORMAL = np.array([0.15, -0.10, 1.20, -0.25, 0.0, 0.30])
_INFARCTION = np.array([0.15, -0.40, 0.90, -0.15, 0.35, -0.20])
_LEAST_SHARE, _JITTER, _SPREAD, _NOISE_MV, _BASELINE_MV = 0.15, 0.012, 0.15, 0.06, 0.15


def generated_beats(count: int, samples: int, stream: Callable[..., np.random.Generator]) -> DataSet:
    """Generate `count` beats, half of them of either class, in three splits.

    Args:
        count: count of all splits together, from 20 on.
        samples: samples of a beat.
        stream: keyed random streams (`Context.random`).
    """
    random = stream("generated-beats")
    labels: IntArray = np.arange(count, dtype=np.int64) % len(CLASSES)
    features = np.stack([_beat(int(label), samples, random) for label in labels])
    ends = np.rint(np.cumsum(_SHARES) * count / 2).astype(int) * 2  # whole pairs: equal classes in every split
    parts = [
        Split(features[low:high, None, :, None].astype(np.float32), labels[low:high].copy())
        for low, high in zip((0, *ends[:-1]), ends, strict=True)
    ]
    scaling = Scaling.unchanged(1, ("heart in mV",))
    return DataSet("generated-beats", TITLE, parts[0], parts[1], parts[2], CLASSES, SOURCE, scaling=scaling)


def _beat(label: int, samples: int, random: np.random.Generator) -> FloatArray:
    share = label * random.uniform(_LEAST_SHARE, 1.0)
    heights = (1 - share) * _NORMAL + share * _INFARCTION
    heights = heights * (1 + _SPREAD * random.standard_normal(len(heights)))
    places = _PLACES + _JITTER * random.standard_normal() + 0.3 * _JITTER * random.standard_normal(len(_PLACES))
    time = np.linspace(0, 1, samples)
    waves = heights[:, None] * np.exp(-0.5 * ((time - places[:, None]) / _WIDTHS[:, None]) ** 2)
    turns, begin = random.uniform(0.3, 1.2), random.uniform(0, 2 * np.pi)
    baseline = _BASELINE_MV * np.sin(2 * np.pi * turns * time + begin)
    beat: FloatArray = waves.sum(axis=0) + baseline + _NOISE_MV * random.standard_normal(samples)
    return beat
