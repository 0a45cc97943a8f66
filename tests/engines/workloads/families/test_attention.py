"""Attention and feed-forward parts, by hand."""

from __future__ import annotations

from engines.workloads.families.attention import Attention, feed_forward
from engines.workloads.families.network_builder import Drawing
from tests.engines.workloads.families.shapes import network


def test_windows_attend_apart_from_each_other() -> None:
    # 8 tokens of 4 features, two windows of 4 tokens, two heads of 2 features.
    drawing = Drawing((4, 8, 1))
    Attention(heads=2, windows=2, scored=(("positions", 32, 18),)).draw(drawing, "a")
    assert drawing.shape == (4, 8, 1)
    joint, scores, values, projection = network(drawing.rows).layers
    assert (joint.macs, joint.weight_elements) == (8 * 4 * 12, 4 * 12 + 12)
    assert (scores.repeats, scores.macs, scores.input_elements) == (4, 4 * 4 * 2 * 4, 4 * (4 * 2 + 2 * 4))
    assert (values.repeats, values.macs, values.output_elements) == (4, 4 * 4 * 4 * 2, 8 * 4)
    assert (projection.macs, projection.weight_elements) == (8 * 4 * 4, 20)
    added = next(row for row in drawing.rows if row["name"] == "a.positions")
    assert (added["input_elements"], added["output_elements"], added["weight_elements"]) == (64 + 32, 64, 18)
    assert scores.weight_elements == 18  # what is folded into a layer brings its parameters


def test_three_layers_do_the_work_of_one() -> None:
    joint, apart = Drawing((4, 8, 1)), Drawing((4, 8, 1))
    Attention(2).draw(joint, "a")
    Attention(2, joint=False).draw(apart, "a")
    assert [row["name"] for row in apart.rows[:3]] == ["a.query", "a.key", "a.value"]
    assert network(joint.rows).macs == network(apart.rows).macs
    assert network(joint.rows).weight_elements == network(apart.rows).weight_elements


def test_a_feed_forward_part_leaves_the_width() -> None:
    drawing = Drawing((4, 8, 1))
    feed_forward(drawing, "mlp", 16)
    assert drawing.shape == (4, 8, 1)
    assert network(drawing.rows).macs == 2 * 8 * 4 * 16
