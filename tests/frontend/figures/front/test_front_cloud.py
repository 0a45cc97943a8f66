from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go

from engines.contract.quantities import Quantity
from frontend.figures.front.front import front_figure
from frontend.figures.front.front_parts import Bound
from tests.frontend.figures.fronts_for_tests import cloud_of, sample_cloud_over_decades, texts, trace
from tests.frontend.figures.samples import sample_cloud


def test_it_draws_an_empty_cloud():
    go.Figure(front_figure(cloud_of([], []), "light").to_dict())


def test_a_click_brings_back_the_number_of_the_design():
    cloud = dataclasses.replace(cloud_of([1, 2, 3], [1, 2, 3]), numbers=np.array([70_000, 70_001, 70_002]))
    figure = front_figure(cloud, "light")
    assert list(trace(figure, "dominated").customdata) == [70_001, 70_002]
    assert list(trace(figure, "front").customdata) == [70_000]


def test_it_uses_webgl_only_for_many_designs():
    assert trace(front_figure(sample_cloud(500), "light"), "dominated").type == "scatter"
    many = trace(front_figure(sample_cloud(5000), "light"), "dominated")
    assert many.type == "scattergl" and many.x.dtype == np.float32


def test_what_is_hidden_is_not_drawn():
    everything = ["dominated", "baselines", "bounds", "products", "knee"]
    figure = front_figure(sample_cloud(), "light", bounds=[Bound("y", 4.234, "lower bound")], hidden=everything)
    assert [t.name for t in figure.data] == ["front"]
    assert "lower bound" not in texts(figure) and "knee" not in texts(figure)


def test_ten_thousand_designs_are_drawn_small():
    figure = front_figure(sample_cloud(10_000), "light", selected=5)
    assert len(figure.to_json()) < 250_000


def test_colour_and_size_follow_their_quantities() -> None:
    cloud = sample_cloud_over_decades()
    shade = Quantity("c", "C", "s")
    worse = dataclasses.replace(cloud, y_values=cloud.y_values * np.where(np.arange(30) % 2, 1.5, 1.0))
    coloured = dataclasses.replace(worse, colour=(shade, worse.x_values), size=(shade, worse.x_values))
    marker = next(trace for trace in front_figure(coloured, "dark").data if trace.name == "dominated").marker
    assert len(marker.color) == len(marker.size) == 15 and marker.showscale and marker.colorbar.title.text == "C (s)"
    assert list(marker.size) == sorted(marker.size)


def test_infeasible_designs_are_crosses_beside_the_front() -> None:
    cloud = dataclasses.replace(sample_cloud_over_decades(), infeasible=np.arange(30) < 10)
    assert min(cloud.front) == 10
    names = [trace.name for trace in front_figure(cloud, "light").data]
    assert "infeasible" in names
    assert "infeasible" not in [trace.name for trace in front_figure(cloud, "light", hidden=["infeasible"]).data]
