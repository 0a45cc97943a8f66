"""The supernet against the workload that is costed, and against networks built alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from engines.methods.magnas.architectures.space import SupernetSpace  # noqa: E402
from engines.methods.magnas.architectures.spaces import small_space  # noqa: E402
from engines.methods.magnas.architectures.workload import network_of  # noqa: E402
from engines.methods.magnas.supernet.network import Supernet  # noqa: E402
from engines.workloads.vision_graph import OPERATORS  # noqa: E402
from tests.engines.methods.magnas.standalone import StandaloneNetwork  # noqa: E402

SPACES = {
    "isotropic": small_space(1, 8, 10, 8),
    "pyramid": small_space(3, 16, 4, 8, "pyramid"),
    "pooled": SupernetSpace(
        3, 16, ((8, 1), (8, 1)), (8, 16, 16, 16), (4,) * 4, (1, 2, 1, 1), (4, 2, 1, 1), ((8, 16),) * 4, 16, 4
    ),
}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def architectures(space: SupernetSpace) -> list:
    generator = np.random.default_rng(0)
    ends = [*(space.largest(operator) for operator in OPERATORS), space.smallest("gin")]
    return ends + [space.random(generator) for _ in range(3)]


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


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "pyramid" else [pytest.mark.long]) for name in SPACES]
)
def test_every_subnets_macs_equal_the_workloads(name: str) -> None:
    space = SPACES[name]
    supernet, images = supernet_of(space), images_of(space, 2)
    for architecture in architectures(space):
        with supernet.measured(images, architecture), FlopCounterMode(display=False) as counter:
            supernet(images[:1], architecture)
        workload = network_of(space, architecture)
        assert counter.get_total_flops() == 2 * sum(operation.macs for operation in workload.operations)


@pytest.mark.parametrize("name", SPACES)
def test_a_subnets_output_equals_the_same_network_built_alone_which_has_the_workloads_weights(name: str) -> None:
    space = SPACES[name]
    supernet, images = supernet_of(space), images_of(space, 6)
    for architecture in architectures(space):
        alone = StandaloneNetwork(supernet, architecture, images)
        with supernet.measured(images, architecture):
            shared = supernet(images[:3], architecture)
        with torch.no_grad():
            torch.testing.assert_close(alone(images[:3]), shared, rtol=1e-4, atol=1e-5)
        held = sum(parameter.numel() for parameter in alone.parameters())
        assert held == sum(operation.weight_elements for operation in network_of(space, architecture).operations)


def test_subnets_share_weights_and_use_no_others() -> None:
    space = SPACES["isotropic"]
    supernet, images = supernet_of(space), images_of(space, 2)
    smallest = space.smallest("gin")
    supernet(images, smallest).sum().backward()
    used = {name for name, parameter in supernet.named_parameters() if parameter.grad is not None}
    assert not any(part in name for name in used for part in (".pre.", ".fc1.", ".blocks.2.", "sage", "edge"))
    assert {"classify.weight", "superblocks.0.blocks.0.graph.combine.gin.conv.weight"} <= used


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
