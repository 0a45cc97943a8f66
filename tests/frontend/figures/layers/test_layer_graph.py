from __future__ import annotations

import plotly.graph_objects as go

from engines.contract.results import LayerGraph, LayerNode
from frontend.figures.generic import layer_graph_figure
from frontend.figures.layers.layer_graph import depths, fit
from frontend.theme import HARDWARE


def chain(count: int, units: str = "", kinds: str = "") -> LayerGraph:
    nodes = tuple(
        LayerNode(str(i), f"block {i}", units[i % 2 * 3 :][:3] if units else "", (), kinds[i % 2 * 3 :][:3])
        for i in range(count)
    )
    return LayerGraph("mapping", "Blocks", nodes, tuple((str(i), str(i + 1)) for i in range(count - 1)))


def test_depths_follow_the_longest_path_and_survive_a_cycle():
    nodes = tuple(LayerNode(name, name) for name in "abcd")
    assert depths(LayerGraph("g", "G", nodes, (("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")))) == {
        "a": 0,
        "b": 1,
        "c": 2,
        "d": 3,
    }
    assert set(depths(LayerGraph("g", "G", nodes[:2], (("a", "b"), ("b", "a"))))) == {"a", "b"}


def test_blocks_on_hardware_wear_its_pattern_and_the_key_counts_them() -> None:
    figure = layer_graph_figure(chain(9, "GPUDLA", "gpudla"), "light", width_px=500)
    go.Figure(figure.to_dict())
    gpu, dla = (next(trace for trace in figure.data if trace.name == unit) for unit in ("GPU", "DLA"))
    assert gpu.fillpattern.shape == HARDWARE["gpu"].pattern != dla.fillpattern.shape
    assert {"GPU · 5", "DLA · 4"} <= {text for trace in figure.data if trace.mode == "text" for text in trace.text}


def test_groups_of_software_are_solid_and_without_groups_there_is_no_key() -> None:
    solid = layer_graph_figure(chain(4, "abcxyz"), "dark")
    assert all(trace.fillpattern.shape is None for trace in solid.data)
    assert not any("key" in (trace.name or "") for trace in layer_graph_figure(chain(4), "dark").data)


def test_layers_shrink_to_the_height_that_there_is_and_lose_their_names_last() -> None:
    roomy, low = fit(chain(34), 500), fit(chain(34), 500, 200)
    assert roomy.height_px > 200 >= low.height_px
    assert low.reads_well and low.scale.node[0] < roomy.scale.node[0]
    tiny = fit(chain(340), 500, 200)
    assert tiny.height_px <= 200 and not tiny.reads_well
    assert layer_graph_figure(chain(340), "light", width_px=500, most_px=200).layout.height <= 200


def test_branches_stay_on_one_line_where_smaller_names_allow_it() -> None:
    nodes = tuple(LayerNode(str(i), f"n{i}") for i in range(9))
    branched = LayerGraph("g", "G", nodes, (*((str(i), str(i + 1)) for i in range(7)), ("3", "8")))
    assert fit(branched, 640).reads_well and fit(branched, 640).scale.node[0] < 96
    assert not fit(branched, 300).reads_well
