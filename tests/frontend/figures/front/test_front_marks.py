from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from frontend.figures.front.front import front_figure
from frontend.figures.front.front_parts import Bound, Limit, Point
from tests.frontend.figures.fronts_for_tests import cloud_of, texts, trace
from tests.frontend.figures.samples import ENERGY, LATENCY, sample_cloud


def test_words_leave_the_front_and_close_baselines_in_sight():
    x = np.linspace(1, 3, 60)
    baselines = np.array([[1.0, 3.02], [1.03, 3.0], [1.02, 2.96], [3.0, 1.02]])
    cloud = cloud_of(np.concatenate([x, baselines[:, 0]]), np.concatenate([4 - x, baselines[:, 1]]))
    names = [""] * 60 + ["GPU alone", "DLA alone", "CPU alone", "Governor"]
    cloud = dataclasses.replace(cloud, baseline=np.arange(64) > 59, labels=names)
    figure = front_figure(cloud, "light", width_px=480, height_px=400)
    shown = [note for note in figure.layout.annotations if note.text in names]
    assert len(shown) >= 3
    leaders = [shape for shape in figure.layout.shapes if shape.line.dash == "solid"]
    assert leaders, "words that stand apart from their mark are led to it"


def test_names_of_bounds_leave_the_ideal_point_in_sight():
    cloud = sample_cloud(300)
    ideal = Point("ideal", 1.09, 4.25)
    bounds = [Bound("x", 1.09, "lower bound"), Bound("y", 4.25, "lower bound")]
    drawn = front_figure(cloud, "light", bounds=bounds, points=[ideal], width_px=480, height_px=400)
    named = [note for note in drawn.layout.annotations if note.text.startswith("lower bound")]
    upright, level = named
    low, high = drawn.layout.yaxis.range
    assert upright.x == pytest.approx(1.09) and abs(upright.y - 4.25) / (high - low) * 328 > 14
    assert level.y == pytest.approx(4.25) and level.x > 1.3


def test_limits_shade_what_they_exclude_and_say_so():
    cloud = sample_cloud()
    figure = front_figure(dataclasses.replace(cloud, kept=cloud.x_values <= 1.5), "light", limits=[Limit("x", 1.5)])
    assert "excluded<br>latency > 1.50\u00a0s" in texts(figure)
    assert trace(figure, "excluded").x.min() > 1.5
    assert trace(figure, "dominated").x.max() <= 1.5
    assert trace(figure, "front").x.max() <= 1.5


def test_the_selected_design_is_marked_with_lines_to_both_axes():
    cloud = sample_cloud()
    number = int(cloud.numbers[cloud.front[3]])
    figure = front_figure(cloud, "light", selected=number, selected_words="min EDP", hidden=["bounds", "products"])
    lines = [s for s in figure.layout.shapes if s.line.dash == "2px,2px"]
    assert len(lines) == 2 and lines[0].x1 == pytest.approx(cloud.x_values[cloud.front[3]])
    assert "<b>selected</b>  min EDP" in texts(figure)


def test_words_do_not_cover_each_other():
    cloud = sample_cloud()
    figure = front_figure(
        cloud, "light", selected=int(cloud.numbers[cloud.front[0]]), bounds=[Bound("y", 4.234, "lower bound")]
    )
    assert {"knee", "Simba NVDLA", "Simba Shi-diannao"} <= {note.text for note in figure.layout.annotations}


def test_lines_of_equal_product_are_drawn_for_energy_and_delay_only():
    assert "J·s" in texts(front_figure(sample_cloud(), "light"))
    other = dataclasses.replace(sample_cloud(), y=Quantity("area", "Area", "mm²", "minimise", "objective"))
    assert "J·s" not in texts(front_figure(other, "light"))
    assert (LATENCY.unit, ENERGY.unit) == ("s", "J")
