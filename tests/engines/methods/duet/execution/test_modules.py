"""Monolithic and decomposed recommenders in torch."""

import torch

from engines.methods.duet.decomposition import decomposed
from engines.methods.duet.execution.modules import Monolithic
from engines.methods.duet.recommender import macs_of, recommender_from_yaml
from tests.engines.methods.duet.execution.cases import ENTRIES, models
from tests.engines.methods.duet.problems import SMALL


def test_both_models_are_of_the_widths_that_the_cost_model_prices() -> None:
    model = recommender_from_yaml(SMALL, "own")
    whole, (_, both) = Monolithic(model, [ENTRIES] * 4), models("small", True, 2)
    weights = sum(layer.weight.numel() for layer in whole.modules() if isinstance(layer, torch.nn.Linear))
    assert weights == macs_of(model.bottom) + macs_of((model.features, *model.top))
    parts = decomposed(model, True, 2, model.feature_share)
    weights = sum(layer.weight.numel() for layer in both.modules() if isinstance(layer, torch.nn.Linear))
    each = (parts.static, parts.dynamic, parts.user_top, parts.item_top, parts.combined)
    assert weights == sum(macs_of(widths) for widths in each)
