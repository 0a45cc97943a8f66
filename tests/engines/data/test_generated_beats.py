"""Beats that are drawn."""

from functools import partial

import numpy as np

from engines.contract.numeric.random_streams import random_stream
from engines.data.generated_beats import generated_beats


def test_beats_follow_from_the_seed_and_are_of_either_class_alike() -> None:
    data = generated_beats(100, 64, partial(random_stream, 1))
    assert data.example_shape == (1, 64, 1) and [len(split) for split in data.splits().values()] == [60, 20, 20]
    assert all(split.labels.mean() == 0.5 for split in data.splits().values())
    assert data.scaling is not None and data.scaling.channels == ("heart in mV",)
    assert data.scaling.mean.tolist() == [0] * 1 and data.scaling.deviation.tolist() == [1] * 1
    assert data.content_hash() == generated_beats(100, 64, partial(random_stream, 1)).content_hash()
    assert data.content_hash() != generated_beats(100, 64, partial(random_stream, 2)).content_hash()
    means = [data.train.features[data.train.labels == label].mean(axis=0) for label in (0, 1)]
    assert np.abs(means[1] - means[0]).max() > 0.2  # mV, at the ST segment or the T wave
