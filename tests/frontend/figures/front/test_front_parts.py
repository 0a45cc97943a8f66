from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.figures.front.front import front_figure
from tests.frontend.figures.fronts_for_tests import cloud_of, trace


@pytest.mark.parametrize("x_sense", ["minimise", "maximise"])
@pytest.mark.parametrize("y_sense", ["minimise", "maximise"])
@given(points=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_its_front_is_what_nothing_dominates(x_sense, y_sense, points):
    cloud = cloud_of([p[0] for p in points], [p[1] for p in points], x_sense, y_sense)
    signs = np.array([-1 if sense == "maximise" else 1 for sense in (x_sense, y_sense)])
    values = np.array(points) * signs
    best = {tuple(v) for v in values if not any((w <= v).all() and (w < v).any() for w in values)}
    assert {tuple(values[i]) for i in cloud.front} == best
    assert len(cloud.front) == len(best)
    assert (np.diff(cloud.x_values[cloud.front]) > 0).all()


def test_baselines_and_missing_values_are_not_on_its_front():
    cloud = cloud_of([1, 2, np.nan], [2, 1, 0])
    assert list(cloud.front) == [0, 1]
    assert list(dataclasses.replace(cloud, baseline=np.array([True, False, False])).front) == [1]


def test_designs_that_a_baseline_dominates_are_told_and_are_no_knee():
    cloud = cloud_of([0, 1, 2, 10, 1, 2], [10, 1.5, 1.4, 0, 1.5, 1.3])
    equal = dataclasses.replace(cloud, baseline=np.array([False] * 4 + [True, False]))
    assert not equal.dominated_by_baselines.any() and equal.knee == 1  # as good is not better
    better = dataclasses.replace(cloud, y_values=np.array([10, 1.5, 1.4, 0, 1.4, 9]), baseline=equal.baseline)
    assert better.dominated_by_baselines.tolist() == [False, True, True, False] and better.knee is None
    colours = trace(front_figure(better, "light"), "front").marker.line.color
    assert colours[0] == colours[3] != colours[1] == colours[2]


def test_a_maximised_axis_turns_what_dominates():
    cloud = cloud_of([1, 2, 1.5], [2, 1, 3], "maximise", "minimise")
    assert dataclasses.replace(cloud, baseline=np.array([False, False, True])).dominated_by_baselines.tolist() == [
        False
    ]
    beaten = cloud_of([1, 2, 2.5], [2, 1, 1], "maximise", "minimise")
    assert dataclasses.replace(beaten, baseline=np.array([False, False, True])).dominated_by_baselines.tolist() == [
        True
    ]


def test_quantities_without_a_sense_have_no_front():
    figure = front_figure(cloud_of([1, 2], [2, 1], "none"), "light")
    assert not any(t.name == "front" for t in figure.data)


def test_its_knee_is_the_design_nearest_to_the_ideal_point():
    assert cloud_of([0, 1, 2, 10], [10, 1.5, 1.4, 0]).knee == 1
    assert cloud_of([0, 10], [10, 0]).knee is None
