"""Small spaces and supernets for the tests of this room."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from engines.supernets.network import Supernet  # noqa: E402
from engines.supernets.space import SupernetSpace  # noqa: E402
from engines.supernets.spaces import small_space  # noqa: E402

SPACES = {
    "isotropic": small_space(1, 8, 10, 8),
    "pyramid": small_space(3, 16, 4, 8, "pyramid"),
    "pooled": SupernetSpace(
        3, 16, ((8, 1), (8, 1)), (8, 16, 16, 16), (4,) * 4, (1, 2, 1, 1), (4, 2, 1, 1), ((8, 16),) * 4, 16, 4
    ),
}


def supernet_of(space: SupernetSpace) -> Supernet:
    supernet = Supernet(space)
    supernet.initialise(torch.Generator().manual_seed(1))
    with torch.no_grad():  # nothing at its neutral value: a layer that is left out or taken twice must show
        generator = torch.Generator().manual_seed(2)
        for parameter in supernet.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return supernet


def images_of(space: SupernetSpace, count: int) -> torch.Tensor:
    shape = (count, space.image_channels, space.image_side, space.image_side)
    return torch.rand(shape, generator=torch.Generator().manual_seed(3))
