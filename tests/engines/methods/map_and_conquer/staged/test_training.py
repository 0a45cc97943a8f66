"""Digits, trained and cut for real."""

from __future__ import annotations

import numpy as np
import pytest

from engines.data.digits import digits
from engines.methods.map_and_conquer.problem.chain import Chain, ConvLayer
from engines.methods.map_and_conquer.staged.torch_network import build, in_stages, merged, reordered
from engines.methods.map_and_conquer.staged.training import importance, learn, most_important_first, revive, right_at

torch = pytest.importorskip("torch")

CHAIN = Chain(1, 8, 8, (ConvLayer(8, 3, 1, 1, True), ConvLayer(16, 3, 1, 1, True, 2)), 10)
ALL = np.array([[True, True], [False, False]])
HALF = np.array([[4, 4], [4, 4]])


def test_importance_tells_channels_that_do_nothing() -> None:
    whole = build(CHAIN, 0)
    with torch.no_grad():
        whole.convolutions[0].weight[2] = 0.0
        whole.convolutions[0].bias[2] = 0.0
    found = importance(whole, digits(), np.random.default_rng(0))
    assert found[0][2] == 0.0 and most_important_first(found)[0][-1] == 2
    assert [len(each) for each in found] == [8, 16]


def test_channels_that_no_example_moves_get_fresh_weights() -> None:
    whole = build(CHAIN, 0)
    before = whole.convolutions[1].weight.detach().clone()
    values = [np.ones(8), np.array([1.0] * 14 + [0.0, 0.0])]
    assert revive(whole, values, np.random.default_rng(0)) == 2
    after = whole.convolutions[1].weight.detach()
    assert torch.equal(after[:14], before[:14]) and (after[14:] != before[14:]).all()


@pytest.mark.long
def test_stages_learn_digits_and_stay_equal_to_the_network_in_one_piece() -> None:
    data, random = digits(), np.random.default_rng(0)
    whole = build(CHAIN, 0)
    learn(whole, data, 12, random)
    base = right_at(whole, data.validation, data.feature_scale).mean()
    reordered(whole, most_important_first(importance(whole, data, random)))
    assert right_at(whole, data.validation, data.feature_scale).mean() == pytest.approx(base, abs=0.01)
    staged = in_stages(whole, CHAIN, HALF, ALL)
    cut = right_at(staged, data.validation, data.feature_scale).mean(axis=0)
    learn(staged, data, 12, random)
    tuned = right_at(staged, data.validation, data.feature_scale).mean(axis=0)
    assert base > 0.85 and tuned[-1] > base - 0.05
    assert (tuned > cut).all()
    images = torch.from_numpy(data.test.features.astype(np.float32) * np.float32(data.feature_scale))
    in_one_piece = merged(staged, CHAIN, HALF, ALL)
    assert float((in_one_piece(images) - staged(images)[:, -1]).abs().max()) < 1e-5
