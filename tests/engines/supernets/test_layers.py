from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch")

from tests.engines.supernets.cases import SPACES, images_of, supernet_of


def test_the_first_channels_are_shared_between_widths() -> None:
    space = SPACES["isotropic"]
    supernet, images = supernet_of(space), images_of(space, 2)
    narrow, wide = (
        (*space.largest("edge")[:3], replace(space.largest("edge")[3], hidden=hidden)) for hidden in space.hidden[3][:2]
    )
    supernet(images, narrow).sum().backward()
    weight = supernet.superblocks[3].blocks[0].fc1.conv.weight
    hidden = space.hidden[3][0]
    assert weight.grad is not None
    assert weight.grad[:hidden].abs().sum() > 0 and weight.grad[hidden:].abs().sum() == 0
    weight.grad = None
    supernet(images, wide).sum().backward()
    assert weight.grad is not None and weight.grad[hidden : 2 * hidden].abs().sum() > 0


def test_statistics_that_were_not_recorded_are_refused() -> None:
    space = SPACES["isotropic"]
    supernet, images = supernet_of(space), images_of(space, 2)
    with supernet.measured(images, space.smallest("gin")), pytest.raises(RuntimeError, match="not been recorded"):
        supernet(images, space.largest("edge"))
