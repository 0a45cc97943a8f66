"""Public measurements beside estimates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.cost.calibration.public_comparison import public_notes, public_words
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.running.inspection import plan as plan_of
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.public_measurements import measured_in_public

XAVIER = load_soc(builtin_socs()["jetson-agx-xavier"])


def test_published_and_estimated_figures_stand_side_by_side_with_their_precisions() -> None:
    text = public_words(XAVIER, "resnet50", 1, {"gpu": 9.557e-3, "dla": 0.036}, "fp16")
    assert "1.98 ms (int8, TensorRT 7.2.3, v1.0) and 1.83 ms (int8, TensorRT 8.0.1, v1.1)" in text
    assert "MLPerf Inference v1.1, closed division" in text and "90th percentile" in text
    assert "Estimated here for the GPU alone: 9.56 ms in fp16, 4.8 to 5.2 times that" in text
    assert "precisions differ" in text
    assert "precisions differ" not in public_words(XAVIER, "resnet50", 1, {"gpu": 9.557e-3}, "int8")
    assert "Estimated" not in public_words(XAVIER, "resnet50", 1, {}, "fp16")


@pytest.mark.parametrize(("network", "batch"), [("vgg19", 1), ("resnet50", 8)])
def test_what_nobody_measured_has_no_note(network: str, batch: int) -> None:
    assert public_notes(XAVIER, network, batch, {"gpu": 1.0}, "fp16") == []


def test_a_copy_tells_that_its_parent_was_measured() -> None:
    copied = replace(XAVIER, slug="mine", lineage=("mine", "jetson-agx-xavier"))
    assert "of jetson-agx-xavier, which this device was copied from" in public_words(copied, "resnet50", 1, {}, "fp16")
    assert measured_in_public(("mine",)) == ()


def test_a_plan_and_a_run_of_that_network_on_that_device_say_so() -> None:
    inputs = {"hardware": get_builtin("hardware", XAVIER.slug), "workload": get_builtin("workload", "resnet50")}
    plan = plan_of(make_problem("soc-mapping", inputs, {"unmeasured": "assumed"}))
    assert any("MLPerf Inference v1.1" in note and "9.56 ms in fp16" in note for note in plan.notes)
