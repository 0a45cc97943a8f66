from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from frontend.figures.front.front import front_figure
from tests.frontend.figures.fronts_for_tests import cloud_of, texts, trace
from tests.frontend.figures.samples import sample_cloud


def test_a_baseline_beyond_the_axes_is_pinned_to_the_edge_with_its_value():
    figure = front_figure(sample_cloud(), "light")
    assert "Standalone NVDLA at 3.74\u00a0s" in texts(figure)
    arrow = trace(figure, "baselines beyond the axes")
    low, high = figure.layout.xaxis.range
    assert low < arrow.x[0] < high
    assert "Simba NVDLA" in trace(figure, "baselines").text


def test_a_baseline_on_other_hardware_says_so_on_approach_and_keeps_its_name_in_the_picture():
    hardware = dict.fromkeys(("Simba NVDLA", "Standalone NVDLA"), "another package")
    figure = front_figure(dataclasses.replace(sample_cloud(), hardware=hardware), "light")
    assert "Simba NVDLA<br>another package" in trace(figure, "baselines").text
    assert trace(figure, "baselines beyond the axes").text[0].endswith("<br>another package")
    assert not any("another package" in text for text in texts(figure))


def test_two_baselines_beyond_the_same_edge_do_not_cover_each_other():
    cloud = cloud_of([1, 2, 3, 90, 80], [3, 2, 1, 90, 80])
    cloud = dataclasses.replace(cloud, baseline=np.arange(5) > 2, labels=["", "", "", "Far", "Farther"])
    arrows = trace(front_figure(cloud, "light"), "baselines beyond the axes")
    low, high = front_figure(cloud, "light").layout.yaxis.range
    assert abs(arrows.y[0] - arrows.y[1]) > 0.04 * (high - low)


def test_words_along_the_upper_edge_do_not_cover_each_other():
    """Where three lie above the axis and near each other along it, as packages of one latency do."""
    cloud = cloud_of([1.0, 2.0, 3.0, 1.1, 1.3, 1.6], [4.03, 4.02, 4.01, 9.0, 9.5, 9.9])
    names = ["", "", "", "Simba 3x3 Het-Cross", "Simba 3x3 Het-CB", "Simba 3x3 Shi-diannao"]
    figure = front_figure(dataclasses.replace(cloud, baseline=np.arange(6) > 2, labels=names), "light")
    arrows = trace(figure, "baselines beyond the axes")
    assert set(arrows.marker.symbol) == {"triangle-up"}
    low, high = figure.layout.yaxis.range
    rows = sorted(arrows.y)
    assert min(np.diff(rows)) > 0.04 * (high - low)


def test_every_arrow_at_an_edge_has_its_name_level_with_it():
    """Also where others are as close as they can be, and the selected design is in the way."""
    cloud = cloud_of([1.0, 1.1, 1.2, 1.3, 9.0, 9.5, 11.0, 13.0], [4.3, 4.2, 4.1, 4.0, 4.02, 4.03, 4.04, 4.05])
    names = [""] * 4 + ["Always at once", "Always later", "Never at all", "Hardly ever"]
    cloud = dataclasses.replace(cloud, baseline=np.arange(8) > 3, labels=names)
    figure = front_figure(cloud, "light", selected=3)
    arrows = trace(figure, "baselines beyond the axes")
    notes = {str(note.text): note for note in figure.layout.annotations}
    assert len(arrows.x) == 3
    for y, words in zip(arrows.y, ("Always at once at 9.00", "Always later at 9.50", "and 2 more"), strict=True):
        note = next(note for text, note in notes.items() if text.startswith(words))
        assert note.y == pytest.approx(y) and note.yshift == 0 and note.xanchor == "right"


def test_many_baselines_beyond_one_edge_are_two_and_how_many_more():
    cloud = cloud_of([1, 2, 3, *range(80, 86)], [3, 2, 1, *[2] * 6])
    cloud = dataclasses.replace(cloud, baseline=np.arange(9) > 2, labels=["", "", "", *"ABCDEF"])
    figure = front_figure(cloud, "light")
    arrows = trace(figure, "baselines beyond the axes")
    assert len(arrows.x) == 3 and "and 4 more" in texts(figure)
    assert "A at 80.0" in texts(figure) and "F at" not in texts(figure)
    assert "F at 85.0" in arrows.text[2]


def test_one_name_serves_baselines_that_share_it_and_lie_together():
    cloud = cloud_of([1, 2, 3, 2.5, 2.51, 2.52, 1.2], [3, 2, 1, 2.8, 2.81, 2.79, 2.9])
    cloud = dataclasses.replace(cloud, baseline=np.arange(7) > 2, labels=["", "", "", *["Same"] * 4])
    figure = front_figure(cloud, "light")
    assert [note.text for note in figure.layout.annotations].count("Same") == 2
    assert list(trace(figure, "baselines").text) == ["Same"] * 4  # each tells its name on approach


def test_names_of_a_crowd_stand_beside_their_marks_and_cover_none():
    """Twenty names in one corner: what has no place beside its mark is left out, and nothing leads across the others."""
    x, y = np.meshgrid(np.linspace(1.9, 2.5, 5), np.linspace(2.2, 2.9, 4))
    names = [f"Network {number} without exits" for number in range(20)]
    cloud = cloud_of([1, 2, 3, *x.ravel()], [3, 2, 1, *y.ravel()])
    cloud = dataclasses.replace(cloud, baseline=np.arange(23) > 2, labels=["", "", "", *names])
    figure = front_figure(cloud, "light", hidden=["knee"])
    shown = [note for note in figure.layout.annotations if note.text in names]
    assert 0 < len(shown) < len(names)
    assert max(abs(note.xshift) + abs(note.yshift) for note in shown) < 20
    assert not [shape for shape in figure.layout.shapes if shape.type == "line"]
    assert sorted(trace(figure, "baselines").text) == sorted(names)


def test_baselines_of_a_crowd_that_touch_are_told_together():
    """Beside one of them a name would seem to be the other's."""
    x = [2.2, 2.205, *np.linspace(1.2, 2.8, 10)]
    names = ["a3", "a4", *(f"Other {number}" for number in range(10))]
    cloud = cloud_of([1, 2, 3, *x], [3, 2, 1, 2.5, 2.51, *[2.9] * 10])
    cloud = dataclasses.replace(cloud, baseline=np.arange(15) > 2, labels=["", "", "", *names])
    drawn = [note.text for note in front_figure(cloud, "light", hidden=["knee"]).layout.annotations]
    assert "a3, a4" in drawn and "a3" not in drawn and "a4" not in drawn
