"""Generated motions."""

from __future__ import annotations

import numpy as np

from engines.contract.numeric.random_streams import random_stream
from engines.data.generated_motions import CLASSES, generated_motions


def test_windows_are_marked_as_generated_and_follow_from_the_seed() -> None:
    data, again = (generated_motions(160, 40, lambda *names: random_stream(1, *names)) for _ in range(2))
    assert "generated" in data.source and data.classes == CLASSES and len(CLASSES) == 8
    assert [len(split) for split in data.splits().values()] == [96, 32, 32] and data.example_shape == (3, 40, 1)
    assert data.scaling is not None and data.scaling.channels == (
        "acceleration x in g",
        "acceleration y in g",
        "acceleration z in g",
    )
    assert data.scaling.mean.tolist() == [0] * 3 and data.scaling.deviation.tolist() == [1] * 3
    assert data.content_hash() == again.content_hash()
    assert all((np.bincount(split.labels) == len(split) / 8).all() for split in data.splits().values())


def test_still_activities_have_gravity_alone() -> None:
    data = generated_motions(80, 40, lambda *names: random_stream(1, *names))
    still = data.train.features[data.train.labels == CLASSES.index("stand")][..., 0]
    moving = data.train.features[data.train.labels == CLASSES.index("jump")][..., 0]
    assert np.abs(np.linalg.norm(still.mean(axis=2), axis=1) - 1).max() < 0.1  # 1 g
    assert moving.std(axis=2).mean() > 3 * still.std(axis=2).mean()
