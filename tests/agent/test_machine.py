"""What the probe says of the machine that runs the tests."""

from __future__ import annotations

import os

from paretoscope_agent.machine import measured_peak, probe


def test_it_finds_this_machine() -> None:
    found = probe(measure=False).as_json()
    assert found["cores"] == len(os.sched_getaffinity(0))
    assert found["architecture"] and found["processor"] and found["memory_gib"] > 0
    assert found["runtime"].startswith("onnxruntime ")
    assert "CPUExecutionProvider" in found["providers"] and "AzureExecutionProvider" not in found["providers"]
    assert found["kind"] == probe(measure=False).as_json()["kind"], "a machine stays of its kind"


def test_it_measures_a_peak() -> None:
    found = measured_peak(1)
    assert found.operations_per_s > 1e8 and found.bandwidth_bytes_per_s > 1e8
