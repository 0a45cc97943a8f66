"""Simulated scenes have the shares and means that the tables say."""

import numpy as np
import pytest

from engines.methods.split_computing.scenes import Scenes


@pytest.mark.parametrize(
    ("threshold", "share", "mean"), [(0.5, 0.683, 0.853), (0.68, 0.527, 0.937), (0.98, 0.366, 0.995)]
)
def test_shares_and_means_above_thresholds_are_those_of_the_tables(threshold: float, share: float, mean: float) -> None:
    scenes = Scenes(threshold, 0.5)
    assert scenes.robust_share == pytest.approx(share)
    quality = scenes.quality(np.random.default_rng(1), np.ones(20_000, dtype=bool))
    assert quality.min() >= threshold and quality.mean() == pytest.approx(mean, abs=0.003)
    below = scenes.quality(np.random.default_rng(1), np.zeros(20_000, dtype=bool))
    assert below.max() <= threshold


def test_a_belief_tells_nothing_something_or_all() -> None:
    random = np.random.default_rng(2)
    assert (Scenes(0.5, 0.0).beliefs(random, 5) == Scenes(0.5, 0.0).robust_share).all()
    assert set(Scenes(0.5, 1.0).beliefs(random, 200)) == {0.0, 1.0}
    some = Scenes(0.5, 0.4).beliefs(random, 50_000)
    share = 0.683
    assert some.mean() == pytest.approx(share, abs=0.01)
    assert some.var() == pytest.approx(0.4 * share * (1 - share), rel=0.03)
