"""Stages in torch against the same network in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.problem.chain import Chain, ConvLayer
from engines.methods.map_and_conquer.staged.torch_network import build, in_stages, merged, reordered, slices

torch = pytest.importorskip("torch")

CHAIN = Chain(1, 8, 8, (ConvLayer(8, 3, 1, 1, True), ConvLayer(12, 3, 1, 1, True, 2), ConvLayer(16, 3, 2, 1, True)), 10)
PARTITION = np.array([[4, 2, 1], [2, 3, 4], [2, 3, 3]])
IMAGES = torch.rand(5, 1, 8, 8, generator=torch.Generator().manual_seed(1))


def reuse(values: list[list[int]]) -> np.ndarray:
    return np.array([*values, [0, 0, 0]], dtype=bool)


ALL = reuse([[1, 1, 1], [1, 1, 1]])


def test_a_new_order_of_channels_changes_no_output() -> None:
    whole = build(CHAIN, 0)
    before = whole(IMAGES).detach()
    random = np.random.default_rng(0)
    reordered(whole, [random.permutation(layer.width) for layer in CHAIN.layers])
    assert float((whole(IMAGES) - before).abs().max().detach()) < 1e-5


@pytest.mark.parametrize("reused", [ALL, reuse([[1, 0, 1], [0, 1, 1]]), reuse([[0, 0, 0], [0, 0, 0]])])
def test_the_last_stage_gives_what_the_network_in_one_piece_gives(reused: np.ndarray) -> None:
    staged = in_stages(build(CHAIN, 3), CHAIN, PARTITION, reused)
    outputs, whole = staged(IMAGES), merged(staged, CHAIN, PARTITION, reused)(IMAGES)
    assert outputs.shape == (5, 3, 10)
    assert float((outputs[:, -1] - whole).abs().max().detach()) < 1e-5


def test_one_stage_is_the_uncut_network() -> None:
    whole = build(CHAIN, 3)
    staged = in_stages(whole, CHAIN, np.full((1, 3), 8), np.zeros((1, 3), dtype=bool))
    assert float((staged(IMAGES)[:, 0] - whole(IMAGES)).abs().max().detach()) < 1e-5


def test_all_stages_and_all_reuse_give_the_uncut_network_where_nothing_flows_back() -> None:
    # A network without weights from later slices to earlier ones is not changed by cutting it.
    source = in_stages(build(CHAIN, 5), CHAIN, PARTITION, ALL)
    uncut = merged(source, CHAIN, PARTITION, ALL)
    again = in_stages(uncut, CHAIN, PARTITION, ALL)
    assert float((again(IMAGES)[:, -1] - uncut(IMAGES)).abs().max().detach()) < 1e-5


def test_earlier_stages_do_not_depend_on_later_ones() -> None:
    whole = build(CHAIN, 3)
    before = in_stages(whole, CHAIN, PARTITION, ALL)(IMAGES)[:, 0]
    with torch.no_grad():
        whole.convolutions[0].weight[4:] += 1.0  # of the later stages
    assert torch.equal(in_stages(whole, CHAIN, PARTITION, ALL)(IMAGES)[:, 0], before)


def test_slices_cover_every_layer_once_and_leave_no_stage_empty() -> None:
    narrow = Chain(1, 8, 8, (ConvLayer(3, 3, 1, 1), ConvLayer(5, 3, 1, 1)), 10)
    for cut, layer in zip(slices(narrow, np.array([[6, 1], [1, 1], [1, 6]])), narrow.layers, strict=True):
        assert [each.start for each in cut] == [0, *[each.stop for each in cut[:-1]]]
        assert cut[-1].stop == layer.width and all(each.stop > each.start for each in cut)
