"""Eight bits in place of 32."""

import torch

from engines.methods.duet.execution.int8_layers import quantisation_error, quantised
from tests.engines.methods.duet.execution.cases import models


def test_int8_of_the_users_half_is_near_and_not_the_same() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        _, both = models("small", True, 2)
        features = torch.randn(200, both.user.top[0].in_features)
        eight = quantised(both.user.top, features)
        assert 0 < quantisation_error(both.user.top, eight, features) < 0.1
        assert any(getattr(part, "weight", None) is not None and callable(part.weight) for part in eight.modules())
