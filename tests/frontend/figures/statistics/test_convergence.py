from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from frontend.figures.statistics.convergence import convergence_figure


def test_convergence_holds_a_value_until_it_improves():
    figure = convergence_figure(
        [1, 10, 50], [3e-3, 2e-3, 1e-3], "light", title="Hypervolume", unit="s·J", checkpoints=[10]
    )
    go.Figure(figure.to_dict())
    assert figure.data[0].line.shape == "hv"
    assert list(figure.data[0].y) == pytest.approx([3, 2, 1])
    assert "Hypervolume (ms·J)" in {note.text for note in figure.layout.annotations}


def test_convergence_without_values_is_an_empty_plot():
    go.Figure(convergence_figure([], [], "light", title="Best", unit="J").to_dict())


def test_logarithmic_evaluations_have_a_tick_per_decade_and_end_beside_the_last() -> None:
    figure = convergence_figure(
        [1, 9, 4200], [4.2, 2.2, 2.18], "light", title="Best", unit="J·s", logarithmic=True
    ).to_dict()
    axis = figure["layout"]["xaxis"]
    assert (axis["type"], axis["dtick"], axis["range"][0]) == ("log", 1, 0.0)
    assert np.log10(4200) < axis["range"][1] < np.log10(4200) + 0.2
    go.Figure(convergence_figure([], [], "dark", title="Best", unit="J", logarithmic=True).to_dict())


def test_a_known_value_is_a_line_beside_the_curve_or_words_at_its_edge() -> None:
    near = convergence_figure(
        [1, 5, 9], [4.0, 3.0, 2.0], "light", title="Best latency", unit="s", known=("lower bound", 1.5)
    )
    assert near.layout.shapes[-1].y0 == 1.5 and near.layout.annotations[-1].text.startswith("lower bound 1.5")
    assert near.data[-1].y[0] == 1.5  # the axis reaches it
    far = convergence_figure(
        [1, 5, 9], [4.0, 3.0, 2.0], "dark", title="Best latency", unit="s", known=("lower bound", -90.0)
    )
    assert not far.layout.shapes and far.layout.annotations[-1].text.endswith("↓")


def test_a_single_evaluation_stands_in_the_middle_of_both_axes() -> None:
    figure = convergence_figure(
        [1], [1.538e-3], "light", title="Best energy", unit="J", logarithmic=True, known=("lower bound", 1.5379999e-3)
    )
    assert sum(figure.layout.xaxis.range) == pytest.approx(0.0) and figure.layout.xaxis.range[0] < -0.1
    assert sum(figure.layout.yaxis.range) / 2 == pytest.approx(1.538)
    assert figure.layout.shapes[-1].y0 == pytest.approx(1.538), "a bound that the value reaches is a line in sight"


def test_a_value_that_never_changes_stands_in_the_middle_and_a_far_bound_beside_it() -> None:
    figure = convergence_figure([1, 5, 9], [2.0, 2.0, 2.0], "light", title="Best", unit="s", known=("lower bound", 1.0))
    assert list(figure.layout.yaxis.range) == pytest.approx([1.9, 2.1])
    assert not figure.layout.shapes and figure.layout.annotations[-1].text.endswith("↓")
