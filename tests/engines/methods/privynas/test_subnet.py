"""Both sides of a cut say what the supernet says."""

import numpy as np
import pytest

from engines.methods.privynas.choice import Choice
from engines.methods.privynas.instance import instance_of
from tests.engines.methods.privynas.problems import privynas_problem

torch = pytest.importorskip("torch")

from engines.methods.privynas.network import PrivacySupernet  # noqa: E402
from engines.methods.privynas.subnet import Subnet  # noqa: E402

SPACE = instance_of(privynas_problem({"depth": 2})).space
IMAGES = torch.rand(3, 1, 8, 8, generator=torch.Generator().manual_seed(0))


def supernet() -> PrivacySupernet:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        return PrivacySupernet(SPACE)


@pytest.mark.parametrize("position", [1, 4, 6])
def test_edge_and_server_are_the_network_of_the_supernet(position: int) -> None:
    whole, operations = supernet(), (0, 2, 1, 0, 1, 2)
    subnet = Subnet(whole, Choice(operations, position, 2.8))
    with torch.no_grad():
        maps = whole.edge(IMAGES, operations, position)
        torch.testing.assert_close(subnet.edge(IMAGES), maps)
        torch.testing.assert_close(subnet.server(maps), whole.server(maps, operations, position))


def test_its_weights_are_its_own() -> None:
    whole = supernet()
    subnet = Subnet(whole, Choice((0,) * 6, 3, 2.8))
    before = {name: value.clone() for name, value in whole.state_dict().items()}
    with torch.no_grad():
        for weights in subnet.parameters():
            weights.add_(1.0)
    assert all(torch.equal(value, before[name]) for name, value in whole.state_dict().items())


def test_what_is_sent_is_within_the_bound_but_for_noise_that_a_larger_budget_makes_small() -> None:
    subnet = Subnet(supernet(), Choice((0,) * 6, 3, 1.0))
    subnet.bound = 0.5
    maps = torch.full((2, 4, 4, 4), 3.0)
    sent = subnet.protected(maps, np.random.default_rng(0), epsilon=1e9)
    assert sent.abs().max() == pytest.approx(0.5, rel=1e-6)
    own = [subnet.protected(maps, np.random.default_rng(0), epsilon) - sent for epsilon in (None, 1.0, 2.0)]
    torch.testing.assert_close(own[0], own[1])
    torch.testing.assert_close(own[2], own[1] / 2, rtol=1e-4, atol=1e-6)  # scale 2 B / epsilon
