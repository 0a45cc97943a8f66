"""What stages see, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.model.accuracy import AssumedAccuracy, linear_importance


def assumed(layers: int = 2, steps: int = 4) -> AssumedAccuracy:
    return AssumedAccuracy(90.0, 10.0, linear_importance(layers, steps))


def test_the_first_channels_matter_most() -> None:
    assert linear_importance(1, 4)[0] == pytest.approx([0, 7 / 16, 12 / 16, 15 / 16, 1])


def test_a_stage_sees_its_part_and_what_is_handed_on() -> None:
    partition = np.array([[[2, 1], [2, 3]]])
    reuse = np.array([[[True, False], [False, False]]])
    mass = assumed().layer_mass(partition, reuse)[0]
    assert mass[0] == pytest.approx([0.75, 7 / 16])
    assert mass[1] == pytest.approx([1.0, 9 / 16])


def test_all_reuse_gives_the_last_stage_the_accuracy_of_the_whole_network() -> None:
    partition = np.array([[[1, 3], [2, 1], [1, 0]]])
    reuse = np.array([[[True, True], [True, True], [False, False]]])
    assert assumed().stages_percent(partition, reuse)[0, -1] == pytest.approx(90.0)


def test_less_seen_is_never_more_accurate() -> None:
    percent = assumed().of_mass(np.linspace(0, 1, 11))
    assert percent[0] == 80.0 and percent[-1] == 90.0 and (np.diff(percent) > 0).all()
