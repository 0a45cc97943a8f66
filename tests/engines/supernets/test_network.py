"""The supernet against the workload that is costed, and against networks built alone."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from engines.supernets.space import SupernetSpace  # noqa: E402
from engines.supernets.workload import network_of  # noqa: E402
from engines.workloads.vision_graph import OPERATORS  # noqa: E402
from tests.engines.methods.magnas.standalone import StandaloneNetwork  # noqa: E402
from tests.engines.supernets.cases import SPACES, images_of, supernet_of  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def architectures(space: SupernetSpace) -> list:
    generator = np.random.default_rng(0)
    ends = [*(space.largest(operator) for operator in OPERATORS), space.smallest("gin")]
    return ends + [space.random(generator) for _ in range(3)]


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
