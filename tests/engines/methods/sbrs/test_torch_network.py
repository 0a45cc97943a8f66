import numpy as np
import pytest

from engines.methods.sbrs.torch_network import (
    inherited_weights,
    initial_weights,
)
from tests.engines.methods.sbrs.search.networks_for_tests import GENOTYPE

torch = pytest.importorskip("torch")


def test_weights_are_inherited_where_both_networks_have_a_place() -> None:
    random = np.random.default_rng(0)
    small = GENOTYPE.check([[[8, 3]], [], [[12, 3]], [], [[16, 3]], [], [[16, 1]]])
    large = GENOTYPE.check([[[10, 5]], [], [[12, 3], [12, 3]], [], [[16, 3]], [], [[16, 1]]])
    before = initial_weights(GENOTYPE.graph(small, "n"), random)
    after = inherited_weights(GENOTYPE.graph(large, "n"), before, random)
    np.testing.assert_array_equal(after["c1.conv1.weight"][:8, :, 1:4, 1:4], before["c1.conv1.weight"])
    np.testing.assert_array_equal(after["c3.conv1.weight"][:, :8], before["c3.conv1.weight"])
    np.testing.assert_array_equal(after["classes.weight"], before["classes.weight"])
