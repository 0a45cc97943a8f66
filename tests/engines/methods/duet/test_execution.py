"""Monolithic and decomposed recommenders in torch."""

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest
import torch
from torch import Tensor

from engines.methods.duet.decomposition import decomposed
from engines.methods.duet.execution.device import Device, naive, ranked
from engines.methods.duet.execution.export import item_onnx, user_onnx
from engines.methods.duet.execution.modules import Decomposed, Monolithic
from engines.methods.duet.execution.quantised import quantisation_error, quantised
from engines.methods.duet.recommender import Recommender, built_in, macs_of, recommender_from_yaml
from tests.engines.methods.duet.problems import SMALL

_ENTRIES = 30


def inputs(model: Recommender, candidates: int) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """A user and candidates."""
    each = [table for table in model.tables for _ in range(table.count)]
    dense = torch.randn(1, model.bottom[0] if model.bottom else 1)
    history = [torch.randint(_ENTRIES, (1, table.user_lookups)) for table in each if table.user_lookups]
    candidate = [torch.randint(_ENTRIES, (candidates, table.item_lookups)) for table in each if table.item_lookups]
    return dense, history, candidate


def models(name: str, split: bool = True, layers: int = 1) -> tuple[Recommender, Decomposed]:
    """A model and its decomposition with random weights."""
    model = recommender_from_yaml(SMALL, "own") if name == "small" else built_in(name)
    count = sum(table.count for table in model.tables)
    parts = decomposed(model, split, layers, model.feature_share)
    return model, Decomposed(model, parts, [_ENTRIES] * count).eval()


@pytest.mark.parametrize(
    ("name", "split", "layers"), [("small", True, 2), ("small", False, 0), ("rm1", True, 2), ("rm5", False, 1)]
)
def test_remembered_and_own_tables_give_what_everything_computed_again_gives(
    name: str, split: bool, layers: int
) -> None:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model, both = models(name, split, layers)
        dense, history, candidate = inputs(model, 50)
        device = Device(both, dense, history)
        later = dense.clone()
        if split:
            later[:, both.user.static_inputs :] = torch.randn_like(later[:, both.user.static_inputs :])
        got = ranked(both, device.vector(later), candidate)
        assert torch.allclose(got, naive(both, later, history, candidate), rtol=0, atol=1e-6)


def test_a_click_takes_the_place_of_the_oldest_lookup() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(2)
        model, both = models("small", True, 2)
        dense, history, candidate = inputs(model, 5)
        device = Device(both, dense, history)
        clicked = [torch.tensor([[3]]) for _ in history]
        device.update([rows[0, 0] for rows in both.embeddings.rows(clicked)])
        newer = [torch.cat([ids[:, 1:], new], dim=1) for ids, new in zip(history, clicked, strict=True)]
        got = ranked(both, device.vector(dense), candidate)
        assert torch.allclose(got, naive(both, dense, newer, candidate), rtol=0, atol=1e-6)


def test_both_models_are_of_the_widths_that_the_cost_model_prices() -> None:
    model = recommender_from_yaml(SMALL, "own")
    whole, (_, both) = Monolithic(model, [_ENTRIES] * 4), models("small", True, 2)
    weights = sum(layer.weight.numel() for layer in whole.modules() if isinstance(layer, torch.nn.Linear))
    assert weights == macs_of(model.bottom) + macs_of((model.features, *model.top))
    parts = decomposed(model, True, 2, model.feature_share)
    weights = sum(layer.weight.numel() for layer in both.modules() if isinstance(layer, torch.nn.Linear))
    each = (parts.static, parts.dynamic, parts.user_top, parts.item_top, parts.combined)
    assert weights == sum(macs_of(widths) for widths in each)


def test_int8_of_the_users_half_is_near_and_not_the_same() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        _, both = models("small", True, 2)
        features = torch.randn(200, both.user.top[0].in_features)
        eight = quantised(both.user.top, features)
        assert 0 < quantisation_error(both.user.top, eight, features) < 0.1
        assert any(getattr(part, "weight", None) is not None and callable(part.weight) for part in eight.modules())


def test_both_halves_as_onnx_give_the_same() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(4)
        model, both = models("small", True, 2)
        dense, history, candidate = inputs(replace(model), 7)
        device = Device(both, dense, history)
        user = onnxruntime.InferenceSession(user_onnx(both, model), providers=["CPUExecutionProvider"])
        given = {"remembered": device.register, "dense": dense, "pooled": device.pooled()}
        vector = user.run(None, {name: value.detach().numpy() for name, value in given.items()})[0]
        items = onnxruntime.InferenceSession(item_onnx(both, model), providers=["CPUExecutionProvider"])
        ids = {f"candidate_{number}": each.numpy() for number, each in enumerate(candidate, 1)}
        outputs = items.run(None, {"user": vector, **ids})[0]
        assert np.abs(outputs - naive(both, dense, history, candidate).numpy()).max() < 1e-5
