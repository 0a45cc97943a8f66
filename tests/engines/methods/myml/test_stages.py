"""Stages by order, and what masks leave of layers."""

from dataclasses import replace

import numpy as np

from engines.methods.myml.choices import published
from engines.methods.myml.instance import PUBLISHED_RATES
from engines.methods.myml.layers import four_blocks
from engines.methods.myml.stages import expected_kept, kept_of, stages_of

LAYERS, _ = four_blocks(1, (8, 8), 10, 4, 1)
CHOICE = published("cpu", PUBLISHED_RATES)


def test_bottom_up_begins_at_the_output_and_ends_with_everything() -> None:
    stages = stages_of(CHOICE, 1)
    assert [stage.pruned for stage in stages] == [(1,), (2,), (3,), (4,), ()]
    assert [stage.updated for stage in stages] == [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4)]
    assert [stage.learning_rate for stage in stages] == [1e-3, 1e-3, 1e-4, 1e-4, 1e-4]
    down = stages_of(replace(CHOICE, order="top-down"), 0)
    assert [stage.updated for stage in down] == [(4,), (3, 4), (2, 3, 4), (1, 2, 3, 4)]
    at_once = stages_of(replace(CHOICE, order="at-once"), 1)
    assert [stage.pruned for stage in at_once] == [(1, 2, 3, 4), (), (), (), ()]


def test_a_channel_that_goes_takes_the_filter_before_it_along() -> None:
    masks = [np.ones((each.filters, each.channels), dtype=bool) for each in LAYERS]
    masks[2][:, [0, 3]] = False  # two channels of block 3: two filters of block 2
    kept = kept_of(LAYERS, masks, False)
    assert (kept[2].channels, kept[1].filters, kept[1].channels) == (6, 6, 4)
    assert kept[1].pairs == 24 and kept[2].macs == 6 * 16 * 9 * 4
    assert all(each.pointer_bytes == 0 for each in kept)


def test_filters_that_keep_different_channels_need_pointers() -> None:
    masks = [np.ones((each.filters, each.channels), dtype=bool) for each in LAYERS]
    masks[2] = np.eye(16, 8, dtype=bool) | np.eye(16, 8, k=-8, dtype=bool)
    kept = kept_of(LAYERS, masks, True)[2]
    assert (kept.channels, kept.filters, kept.pairs) == (8, 16, 16)
    assert kept.pointer_bytes == 2 * (1 + 16 + 15)
    assert kept.size_bytes(dense=False) == 16 * 9 + 4 * 16 + 64
    assert kept.size_bytes(dense=True) == 8 * 16 * 9 + 4 * 16


def test_what_rates_alone_say_is_what_masks_of_them_leave() -> None:
    choice = replace(CHOICE, granularity="symmetric", rates_percent=(50.0, 50.0, 50.0, 0.0))
    kept = expected_kept(LAYERS, choice)
    assert [(each.channels, each.filters) for each in kept] == [(1, 2), (2, 4), (4, 8), (8, 8), (8, 10)]
