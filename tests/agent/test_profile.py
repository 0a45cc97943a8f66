"""The reader of onnxruntime's profile, on a recorded one: the first block of Swin-T, two runs by onnxruntime 1.32."""

from __future__ import annotations

from pathlib import Path

import pytest

from paretoscope_agent.errors import MeasurementError
from paretoscope_agent.profile import read_profile

RECORDED = Path(__file__).resolve().parents[1] / "data/onnxruntime/swin-t-profile.json"


def test_it_reads_a_recorded_profile_in_the_order_of_execution() -> None:
    nodes = read_profile(RECORDED.read_text())
    assert [(node.name, node.operator) for node in nodes[:4]] == [
        ("patches:0_nchwc", "Conv"),
        ("ReorderOutput", "ReorderOutput"),
        ("patches.norm//reshape", "Reshape"),
        ("patches.norm//reshape-tokens", "Transpose"),
    ]
    assert {node.provider for node in nodes} == {"CPUExecutionProvider"}
    assert len({node.name for node in nodes}) == len(nodes)


def test_warm_up_runs_do_not_count() -> None:
    first, later = read_profile(RECORDED.read_text(), warm_up=0), read_profile(RECORDED.read_text(), warm_up=1)
    assert [node.name for node in first] == [node.name for node in later]
    assert sum(node.time_us for node in first) != sum(node.time_us for node in later)


@pytest.mark.parametrize("text", ["", "{}", "[]", "[1]", '[{"cat": "Session"}]'])
def test_what_is_no_profile_is_refused(text: str) -> None:
    with pytest.raises(MeasurementError, match="profile"):
        read_profile(text)
