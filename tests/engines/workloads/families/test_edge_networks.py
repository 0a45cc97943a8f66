"""Networks for edge devices against the implementations that they follow, and against what is known of their structure.

The table has MACs (torch's flop counter, attention as two products) and parameters of implementations under permissive licences.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.families.edge_networks import edge_networks
from engines.workloads.families.network_builder import Drawing
from engines.workloads.families.tiny_vit import TinyVitShape, draw_tiny_vit
from engines.workloads.loader import builtin_network
from engines.workloads.network import Operation

TABLE = Path(__file__).parents[3] / "data" / "workloads" / "edge_networks.csv"
REFERENCES = {row["slug"]: row for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
# Trained parameters: those of the Keras models without means and variances of normalisations.
MLPERF_TINY = {
    "mlperf-tiny-kws": (2_656_768, 24_908 - 9 * 128),
    "mlperf-tiny-vww": (7_489_664, 221_794 - 2 * 2736),
    "mlperf-tiny-ic": (12_501_632, 78_666 - 2 * 240),
    "mlperf-tiny-ad": (264_192, 269_992 - 2 * 1032),
    "mlperf-tiny-sww": (432_832, 22_491),
}


def named(slug: str, operation: str) -> Operation:
    """The operation of that name."""
    return next(each for each in builtin_network(slug).operations if each.name == operation)


@pytest.mark.parametrize("slug", REFERENCES)
def test_figures_are_those_of_the_implementation(slug: str) -> None:
    network, reference = builtin_network(slug), REFERENCES[slug]
    assert (network.macs, network.parameters) == (int(reference["macs"]), int(reference["parameters"]))


@pytest.mark.parametrize(("slug", "figures"), MLPERF_TINY.items())
def test_small_networks_have_the_parameters_of_their_keras_models(slug: str, figures: tuple[int, int]) -> None:
    network = builtin_network(slug)
    assert (network.macs, network.parameters) == figures


def test_all_are_built_in_and_none_is_drawn_for_a_list() -> None:
    documents = edge_networks()
    assert len(documents) >= 80
    assert documents.keys() <= set(builtin_networks())
    assert not any(document.drawn for document in documents.values())


@pytest.mark.parametrize("slug", ["yolov8n", "yolo11n", "yolox-s", "yolov5s"])
def test_detectors_predict_on_three_levels(slug: str) -> None:
    outputs = builtin_network(slug).operations[-1]
    each = {"yolox-s": 85, "yolov5s": 3 * 85}.get(slug, 64 + 80)
    assert outputs.output_elements == each * (80**2 + 40**2 + 20**2)


def test_a_layer_of_yolov8_joins_both_halves_and_every_block() -> None:
    join, split = named("yolov8n", "stage3.join"), named("yolov8n", "stage3.split:act")
    assert join.sources == (
        split.index,
        named("yolov8n", "stage3.m0.add").index,
        named("yolov8n", "stage3.m1.add").index,
    )
    assert named("yolov8n", "stage3.m0.add").sources == (split.index, named("yolov8n", "stage3.m0.conv2:act").index)


def test_heads_of_all_levels_share_their_weights() -> None:
    names = ("head3.classes.conv0", "head7.classes.conv0")
    first, last = (named("retinanet-resnet50", name) for name in names)
    assert first.shared_weights == last.shared_weights == (("classes.conv0", 256 * 256 * 9 + 256),)


def test_deformable_attention_reads_values_offsets_weights_and_boxes() -> None:
    sampling = named("rt-detr-r18", "decoder0.cross.gather")
    operations = builtin_network("rt-detr-r18").operations
    found = [operations[number].name for number in sampling.sources]
    assert found == [
        "select.gather_boxes", "decoder0.cross.offsets", "decoder0.cross.softmax", "decoder0.cross.values",
    ]  # fmt: skip


def test_tokens_are_padded_to_whole_windows() -> None:
    drawing = Drawing((3, 256, 256))
    draw_tiny_vit(drawing, TinyVitShape((64, 128, 160, 320), (0, 1, 0, 0), (0, 4, 5, 10), last_stride=1))
    assert drawing.shape == (320, 16, 16)
    pad, crop = (row for row in drawing.rows if row["name"] in ("stage1.0.pad", "stage1.0.crop"))
    assert (pad["input_elements"], pad["output_elements"]) == (128 * 32**2, 128 * 35**2)
    assert (crop["input_elements"], crop["output_elements"]) == (128 * 35**2, 128 * 32**2)
