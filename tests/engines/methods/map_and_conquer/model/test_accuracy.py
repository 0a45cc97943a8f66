"""What stages see, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.model.accuracy import AssumedAccuracy, MeasuredCurve, linear_importance


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


def test_what_was_measured_takes_the_place_of_the_law_and_nothing_is_below_zero() -> None:
    curve = MeasuredCurve(np.array([0.0, 0.5, 1.0]), np.array([10.0, 60.04, 90.06]))
    measured = AssumedAccuracy(90.06, 10.0, linear_importance(2, 4), curve)
    assert measured.of_mass(np.array([0.25, 1.0])) == pytest.approx([35.02, 90.06])
    assert curve.words() == "10.0 to 90.1 %"
    assert AssumedAccuracy(5.0, 10.0, linear_importance(2, 4)).of_mass(np.array([0.0, 1.0])).tolist() == [0.0, 5.0]
