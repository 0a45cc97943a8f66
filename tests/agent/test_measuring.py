"""Measuring a small network, and what ends a measurement."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.workloads.loader import builtin_network
from engines.workloads.runnable.build import runnable_network
from paretoscope_agent.errors import MeasurementError
from paretoscope_agent.limited import measure_limited
from paretoscope_agent.measuring import Conditions, draw_weights, left_to_others
from paretoscope_agent.profile import NodeTime


def written(folder: Path, slug: str) -> tuple[Path, dict[str, Any]]:
    """A network of the zoo as the files that an agent gets."""
    network, model = runnable_network(builtin_network(slug)), folder / "network.onnx"
    model.write_bytes(network.onnx)
    weights = [list(asdict(each).values()) for each in network.weights]
    about = {"weights_file": "weights.bin", "weights": weights, "weights_bytes": network.weights_bytes}
    return model, {**about, "whole_numbers": dict(network.whole_numbers)}


def test_it_measures_in_a_process_of_its_own(tmp_path: Path) -> None:
    model, about = written(tmp_path, "digits-chain")
    found = measure_limited(model, Conditions(time_s=0.2), memory_mb=4096, time_s=60, about=about)
    latency = found["latency_s"]
    assert 0 < latency["low"] <= latency["median"] <= latency["high"]
    assert latency["count"] >= 15 and found["nodes"][0]["operator"] == "Conv"
    assert json.dumps(found)


@pytest.mark.parametrize(
    ("threads", "memory_mb", "time_s", "words"),
    [
        (4000, 4096, 60, "4000 threads were requested"),
        (1, 40, 60, "40 MB of memory"),
        (1, 4096, 0.05, "more than 0.05 s"),
    ],
)
def test_limits_hold(tmp_path: Path, threads: int, memory_mb: float, time_s: float, words: str) -> None:
    model, about = written(tmp_path, "digits-chain")
    with pytest.raises(MeasurementError, match=words):
        measure_limited(model, Conditions(threads, time_s=0.1), memory_mb=memory_mb, time_s=time_s, about=about)


def test_a_provider_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    model, about = written(tmp_path, "digits-chain")
    with pytest.raises(MeasurementError, match=r"TensorrtExecutionProvider is not there; this runtime has .*CPU"):
        measure_limited(model, Conditions(provider="TensorrtExecutionProvider"), memory_mb=4096, time_s=60, about=about)


def test_nodes_that_a_provider_left_to_others_are_counted() -> None:
    nodes = [NodeTime(str(number), "Conv", provider, 1.0) for number, provider in enumerate(("A", "A", "B"))]
    assert left_to_others(nodes, "A") == ["1 of 3 nodes ran on B, not on A."] and not left_to_others(nodes[:2], "A")


def test_what_the_runtime_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "network.onnx").write_bytes(b"no network")
    with pytest.raises(MeasurementError, match="onnxruntime does not run this network"):
        measure_limited(tmp_path / "network.onnx", Conditions(), memory_mb=4096, time_s=60)


def test_drawn_weights_have_their_spread_and_stay_in_their_folder(tmp_path: Path) -> None:
    draw_weights(tmp_path, "weights.bin", [(50_000, 0.1, 0), (10, 0.5, 200_704)], 204_800, 1)
    drawn = np.fromfile(tmp_path / "weights.bin", np.float32)
    assert drawn[:50_000].std() == pytest.approx(0.1, rel=0.02)
    assert drawn.size == 51_200 and not drawn[50_000:50_176].any()
    with pytest.raises(MeasurementError, match="plain name"):
        draw_weights(tmp_path, "../weights.bin", [], 0, 1)
