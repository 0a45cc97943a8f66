"""The heat map of which dataflow suits which layer."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.cost.preferences import DEFAULT_ARRAY_SIZES, DEFAULT_MAPPINGS, LayerPreferences, layer_preferences
from engines.documents.builtin import get_builtin
from engines.workloads.loader import builtin_network
from frontend.figures.layers.layer_preferences import (
    LARGEST_RATIO,
    SHOWN,
    choice_title,
    preference_figure,
    preference_sentence,
)
from frontend.theme import SCHEMES
from hardware.package.loader import load_package


@pytest.fixture(scope="module")
def found() -> LayerPreferences:
    package = load_package(get_builtin("hardware", "simba-3x3-het-sides").content)
    return layer_preferences(builtin_network("resnet50"), package, DEFAULT_MAPPINGS, DEFAULT_ARRAY_SIZES)


@pytest.mark.parametrize("show", SHOWN)
def test_every_quantity_can_be_drawn(found: LayerPreferences, show: str) -> None:
    for scheme in SCHEMES:
        figure = preference_figure(found, show, False, 3, scheme)  # type: ignore[arg-type]
        go.Figure(figure.to_dict())  # plotly's own validation
        heat = figure.data[0]
        assert np.shape(heat.z) == np.shape(heat.text) == (len(found.choices), len(found.network.layers))
        assert np.isfinite(np.asarray(heat.z)).all()


def test_every_layer_has_a_dot_on_its_best_and_the_colour_of_one(found: LayerPreferences) -> None:
    figure = preference_figure(found, "edp", False, 0, "light")
    heat, dots = figure.data
    best = found.best("edp")
    marked = set(zip(dots.x, dots.y, strict=True))
    for layer, choice in enumerate(best):
        assert (heat.x[layer], heat.y[choice]) in marked and heat.z[choice][layer] == 0
    assert np.max(heat.z) == pytest.approx(np.log10(LARGEST_RATIO), abs=1e-3)


def test_within_one_size_every_size_has_dots(found: LayerPreferences) -> None:
    dots = preference_figure(found, "latency", True, 0, "light").data[1]
    assert len(dots.x) >= 3 * len(found.network.layers)


def test_what_exceeds_the_buffer_has_a_cross(found: LayerPreferences) -> None:
    assert len(preference_figure(found, "buffer", False, 0, "light").data[1].x) == 0
    small = LayerPreferences(**{**vars(found), "buffer_bytes": np.full(len(found.choices), 1000.0)})
    assert len(preference_figure(small, "buffer", False, 0, "light").data[1].x) == int(small.exceeds_buffer().sum()) > 0


def test_the_picked_layer_is_framed(found: LayerPreferences) -> None:
    (frame,) = preference_figure(found, "edp", False, 7, "light").layout.shapes
    assert (frame.x0, frame.x1) == (6.5, 7.5)
    assert not preference_figure(found, "edp", False, -1, "light").layout.shapes


def test_mappings_that_were_not_checked_are_marked(found: LayerPreferences) -> None:
    titles = {choice.mapping: choice_title(choice) for choice in found.choices}
    assert "*" in titles["yxp_os"] and "*" not in titles["kcp_ws"] + titles["dpt"]


def test_the_sentence_counts_every_layer(found: LayerPreferences) -> None:
    assert preference_sentence(found, "edp").startswith(
        "EDP of 54 layers of ResNet-50, 224x224: NVDLA, 4 096 PE suits ".replace(" 096", "\u2009096")
    )
