"""Profiles of runtimes. Those under `tests/data/profiles` were made after the formats that the runtimes' sources write."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.cost.calibration.profiles import is_profile, read_profile

DATA = Path(__file__).resolve().parents[3] / "data"
# Heading, joined names, a copy, and a part that TensorRT gives to the DLA.
PROFILE = [
    {"count": 100},
    {"name": "conv1 + relu1", "timeMs": 50.0, "averageMs": 0.5, "percentage": 40.0},
    {"name": "PWN(PWN(sigmoid_1), mul_1)", "timeMs": 10.0, "percentage": 8.0},
    {"name": "{ForeignNode[conv2...fc]}", "averageMs": 0.25},
    {"name": "Reformatting CopyNode for Input Tensor 0 to conv1", "averageMs": 0.01},
]


def test_a_tensorrt_profile_gives_names_and_mean_times() -> None:
    layers = read_profile(json.dumps(PROFILE))
    assert [layer.layers for layer in layers] == [
        ("conv1 + relu1",),
        ("PWN(PWN(sigmoid_1), mul_1)",),
        ("{ForeignNode[conv2...fc]}",),
        ("Reformatting CopyNode for Input Tensor 0 to conv1",),
    ]
    assert [layer.latency_ms for layer in layers] == [0.5, 0.1, 0.25, 0.01]


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"name": "a"}]', '[{"name": "a", "averageMs": "x"}]', "[" * 10_000]
)
def test_what_is_no_profile_is_refused(text: str) -> None:
    with pytest.raises(ProblemError):
        read_profile(text)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.sampled_from(["name", "count", "ph", "cat"]),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
                        st.sampled_from(["name", "averageMs", "timeMs", "count"]), inner, max_size=4)))  # fmt: skip
def test_any_json_is_read_or_refused(value: object) -> None:
    with contextlib.suppress(ProblemError):
        read_profile(json.dumps([value]) + os.linesep)


def test_the_median_counts_where_trtexec_tells_it() -> None:
    layers = read_profile((DATA / "profiles/trtexec-export.json").read_text())
    assert [(layer.layers, layer.latency_ms) for layer in layers] == [
        (("conv1 + relu1",), 0.0982),
        (("layer1.0.conv1",), 0.0403),
        (("fc",), 0.0121),
    ]


@pytest.mark.parametrize("name", ["trtexec-dump.txt", "trtexec-dump-names-last.txt"])
def test_the_table_of_trtexec_says_the_same(name: str) -> None:
    text = (DATA / "profiles" / name).read_text()
    assert is_profile(text)
    exported = read_profile((DATA / "profiles/trtexec-export.json").read_text())
    assert [(each.layers, each.latency_ms) for each in read_profile(text)] == [
        (each.layers, each.latency_ms) for each in exported
    ]


def test_a_table_without_heading_is_refused() -> None:
    with pytest.raises(ProblemError, match="heading"):
        read_profile("=== Profile (10 iterations ) ===\nnothing")
    with pytest.raises(ProblemError, match="row"):
        read_profile("=== Profile (10 iterations ) ===\nLayer Time (ms) Avg. Time (ms)\n")


def test_kernels_on_the_device_count_and_not_their_launch() -> None:
    layers = read_profile((DATA / "profiles/onnxruntime-cuda.json").read_text())
    # The second of two runs: 120 + 30 us of kernels, a node that stayed on the processor, 45 us of one kernel.
    assert [(layer.layers, layer.latency_ms) for layer in layers] == [
        (("conv1",), 0.150),
        (("shape",), 0.007),
        (("fc",), 0.045),
    ]


def test_a_recorded_profile_of_onnxruntime_has_its_operations() -> None:
    layers = read_profile((DATA / "onnxruntime/swin-t-profile.json").read_text())
    assert (layers[0].layers, layers[0].operator) == (("patches:0_nchwc",), "Conv")
    assert all(layer.latency_ms > 0 for layer in layers)
