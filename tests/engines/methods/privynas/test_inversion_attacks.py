"""Attacks: what is hidden in noise is not got back, what is sent in the clear is."""

import numpy as np
import pytest

from engines.data.digits import digits
from tests.engines.methods.privynas.problems import privynas_problem

torch = pytest.importorskip("torch")


def test_the_area_under_the_curve_counts_pairs() -> None:
    from engines.methods.privynas.inversion_attacks import area_under_curve

    assert area_under_curve(np.array([0.1, 0.2]), np.array([0.3, 0.4])) == 1.0
    assert area_under_curve(np.array([0.1, 0.4]), np.array([0.2, 0.4])) == (1 + 1 + 0 + 0.5) / 4
    assert area_under_curve(np.ones(3), np.ones(5)) == 0.5


def test_noise_hides_images_and_a_large_budget_does_not() -> None:
    from engines.data.torch_images import Images
    from engines.methods.privynas.choice import Choice
    from engines.methods.privynas.instance import instance_of
    from engines.methods.privynas.inversion_attacks import measured_leak
    from engines.methods.privynas.network import PrivacySupernet, norms_of
    from engines.methods.privynas.subnet import Subnet
    from engines.running.context import LocalContext

    problem = privynas_problem()
    instance, data = instance_of(problem), digits()
    images, random = Images(data, None, "cpu"), LocalContext(problem).random
    with torch.random.fork_rng():
        torch.manual_seed(0)
        supernet = PrivacySupernet(instance.space)
    found = []
    for epsilon in (0.05, 500.0):
        subnet = Subnet(supernet, Choice((0, 0, 0), 1, epsilon))
        with torch.no_grad():
            subnet.bound = float(norms_of(subnet.edge(images.batch(data.train, np.arange(200)))).median())
        found.append(measured_leak(subnet, data, images, random).reconstruction)
    assert found[0] > 0.95 and found[1] < 0.6
