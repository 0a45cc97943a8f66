"""Damaged and hostile files: a clear message, nothing read that was not handed in, no endless work."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from engines.contract.errors import ProblemError
from engines.running.runner.file_reader import read_in_child
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from tests.engines.workloads.importing.onnx.onnx_models import convolutional, model, weight

_ODD_NAME = "a\0b\x1b[31m\n" + "c" * 500


def _outside(location: str) -> bytes:
    made = model([helper.make_node("MatMul", ["x", "w"], ["out"], "it")], {"x": [4, 8]}, [weight("w", 8, 8)])
    tensor = made.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return bytes(made.SerializeToString())


@pytest.mark.parametrize(
    "location", ["/etc/passwd", "../../secret.bin", "a/../../b", "C:\\secret.bin", "\\\\host\\share", "..\\b"]
)
def test_weights_outside_of_the_networks_folder_are_refused_by_name(location: str) -> None:
    with pytest.raises(ProblemError, match="weights in its own file or folder") as caught:
        read_onnx(_outside(location), "external.onnx", {})
    assert caught.value.got == f"w in {location}"


@pytest.mark.parametrize("location", ["weights.bin", "parts/weights..bin"])
def test_weights_in_other_files_are_never_read(location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights.bin").mkdir()  # opening it would fail
    read = read_in_child("onnx", _outside(location), "external.onnx")
    assert read.report["parameters"] == 64
    assert "1 weight is in another file, which was not read: its size is in this one." in read.report["notes"]


def test_the_limited_child_reads_it_too() -> None:
    with pytest.raises(ProblemError, match="Must be a complete ONNX file"):
        read_in_child("onnx", convolutional()[:400], "cut.onnx")
    assert read_in_child("onnx", convolutional(), "a.onnx", {"name": "Mine"}).content["title"] == "Mine"


def test_a_weight_that_lies_about_its_data_counts_by_its_size() -> None:
    made = model([helper.make_node("MatMul", ["x", "w"], ["out"], "it")], {"x": [4, 8]}, [weight("w", 8, 8)])
    made.graph.initializer[0].raw_data = b"\0" * 12
    assert read_onnx(made.SerializeToString(), "short.onnx", {}).report["parameters"] == 64


def test_an_operator_with_side_effects_is_named_and_never_executed() -> None:
    nodes = [
        helper.make_node("PyOp", ["x"], ["y"], domain="my.domain"),
        helper.make_node("MatMul", ["y", "w"], ["out"]),
    ]
    with pytest.raises(
        ProblemError, match=r"my\.domain\.PyOp: no cost model knows it\. .*Must be .*y\.1 \(given by my\.domain\.PyOp\)"
    ):
        read_onnx(model(nodes, {"x": [4, 8]}, [weight("w", 8, 8)]).SerializeToString(), "python.onnx", {})


def test_the_library_is_the_one_that_was_tried() -> None:
    assert onnx.__version__.startswith("1.23.")
