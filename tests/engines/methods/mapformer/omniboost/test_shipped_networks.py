"""The networks that ship."""

import numpy as np
import pytest

from engines.methods.mapformer.omniboost.shipped_networks import FREE, determination, network_of, shipped_for


def test_the_network_of_the_highest_mode_within_a_limit_is_asked() -> None:
    found = shipped_for("jetson-agx-xavier")
    assert found is not None and set(found.modes_w.values()) == {None, 10.0, 15.0, 30.0}
    asked = [found.within(limit) for limit in (np.inf, 30.0, 20.0, 12.0, 5.0)]
    assert [found.modes_w[name] for name in asked] == [30.0, 30.0, 15.0, 10.0, 10.0]
    assert shipped_for("jetson-tx2") is None


def test_every_network_is_read_and_of_the_published_size() -> None:
    pytest.importorskip("torch")
    found = shipped_for("jetson-agx-xavier")
    assert found is not None
    for name in (FREE, *found.modes_w):
        network = network_of(found, name)
        assert 19_000 < sum(each.numel() for each in network.parameters()) < 21_000
        told = network.told(np.zeros((2, 2, 32, 10), dtype=np.float32))
        assert np.isfinite(told).all() and (told > 0).all()


def test_determination_is_one_of_the_truth_and_nothing_of_the_mean() -> None:
    true = np.array([1.0, 2.0, 3.0])
    assert determination(true, true) == 1.0 and determination(np.full(3, 2.0), true) == 0.0
