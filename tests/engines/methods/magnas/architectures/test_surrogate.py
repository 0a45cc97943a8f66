from __future__ import annotations

import pytest

from engines.methods.magnas.architectures.surrogate import published_accuracy
from engines.supernets.spaces import vig_s_space


def test_the_surrogate_gives_published_networks_their_accuracy() -> None:
    space = vig_s_space(100)
    accuracy = published_accuracy("cifar-100")
    for operator, percent in (("max-relative", 82.13), ("edge", 82.13), ("gin", 81.49), ("sage", 82.10)):
        assert accuracy.percent(space.largest(operator)) == pytest.approx(percent)
    # G-G-G-G, half of the superblocks with feed-forward parts and half with pre-processing: a2 of CIFAR-100.
    largest, smallest = space.largest("gin"), space.smallest("gin")
    assert accuracy.percent((largest[0], largest[1], smallest[2], smallest[3])) == pytest.approx(81.63)
    # Nothing of either: the nearest is still a2, two superblocks fewer with feed-forward parts.
    assert accuracy.percent(smallest) == pytest.approx(81.63 - 2 * 0.05)
