"""Weights that somebody brought along: a run from them equals the run that trained them, and others are refused."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.contract.engine import Document, Problem
from engines.contract.errors import ProblemError
from engines.learning.weights_document import load_network_weights
from engines.learning.weights_file import arrays_of, packed, read_weights
from engines.methods.myml.engine import MymlEngine
from engines.methods.myml.instance import instance_of
from engines.methods.myml.uploaded_weights import FILE, read, shapes_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore
from engines.running.inspection import plan as plan_of
from tests.engines.methods.myml.problems import myml_problem

FEW = {"epochs": 2, "evaluations": 2, "population": 2, "images_per_class": 2, "stream_images": 20, "drift_at": 10}


def with_weights(data: bytes, params: dict[str, Any] | None = None) -> Problem[Any]:
    content = read_weights(data, "mine.safetensors").content
    return myml_problem({**FEW, **(params or {})}, inputs={"weights": Document("weights", "mine", 1, content)})


def arrays(width: int = 4) -> dict[str, np.ndarray[Any, Any]]:
    shapes = shapes_of(instance_of(myml_problem({"width": width})).layers)
    return {name: np.full(shape, 0.01, np.float32) for name, shape in shapes.items()}


def test_a_run_from_the_weights_of_another_finds_the_same() -> None:
    pytest.importorskip("torch")
    problem = myml_problem(FEW)
    steps = list(drive(MymlEngine(), problem, LocalContext(problem)))
    (file,) = [file for step in steps for file in step.files if file.name == FILE]
    target = io.BytesIO()
    np.savez(target, **arrays_of(file.data))
    for data in (file.data, target.getvalue()):
        again, files = with_weights(data, {"epochs": 9}), MemoryFileStore()
        files.put(data)
        found = list(drive(MymlEngine(), again, LocalContext(again, files=files)))
        for name, values in _columns(steps).items():
            assert np.array_equal(values, _columns(found)[name], equal_nan=True), name
        assert not any(step.files for step in found)  # nothing was trained
        notes = [result.text for step in found for result in step.results if result.name == "data"]
        assert "has the weights" in notes[0] and "it is unknown which" in notes[0]


def test_the_plan_says_that_nothing_is_trained() -> None:
    plan = plan_of(with_weights(packed(arrays(), {})), MymlEngine())
    assert any("mine: it is not trained" in check.text for check in plan.checks)


def test_weights_of_another_width_are_refused_with_what_would_fit() -> None:
    with pytest.raises(ProblemError) as refused:
        instance_of(with_weights(packed(arrays(8), {}), {"width": 4}))
    error = refused.value
    assert (error.field, error.got, error.accepted) == (
        "inputs.weights.parts.0.weight",
        "8 x 1 x 3 x 3",
        "4 x 1 x 3 x 3",
    )
    assert [each[1:] for each in error.remedies] == [("params.width", 8)]
    assert instance_of(with_weights(packed(arrays(8), {}), {"width": 8})).given is not None


def test_weights_of_more_convolutions_and_of_fewer_tensors_are_refused() -> None:
    deeper = shapes_of(instance_of(myml_problem({"convolutions": 2})).layers)
    with pytest.raises(ProblemError) as refused:
        instance_of(with_weights(packed({name: np.zeros(shape, np.float32) for name, shape in deeper.items()}, {})))
    assert ("params.convolutions", 2) in [each[1:] for each in refused.value.remedies]
    fewer = {name: each for name, each in arrays().items() if name != "parts.2.bias"}
    with pytest.raises(ProblemError, match="nothing") as refused:
        instance_of(with_weights(packed(fewer, {})))
    assert refused.value.field == "inputs.weights.parts.2.bias"


def test_weights_for_other_classes_are_refused() -> None:
    with pytest.raises(ProblemError, match="Handwritten") as refused:
        instance_of(with_weights(packed(arrays(), {"classes": '["cat", "dog"]'})))
    assert (refused.value.field, refused.value.got) == ("inputs.weights.classes", "cat, dog")


def test_a_file_that_is_gone_or_other_than_its_document_is_refused() -> None:
    data, files = packed(arrays(), {}), MemoryFileStore()
    said = load_network_weights(read_weights(data, "mine.safetensors").content)
    layers = instance_of(myml_problem()).layers
    with pytest.raises(ProblemError, match="Upload the file again"):
        read(said, layers, files)
    other = replace(said, sha256=files.put(packed(arrays(8), {})))
    with pytest.raises(ProblemError, match="the tensors that the document says"):
        read(other, layers, files)


def _columns(steps: list[Any]) -> dict[str, np.ndarray[Any, Any]]:
    found = [step.designs for step in steps if step.designs is not None]
    return {name: np.concatenate([each.columns[name] for each in found]) for name in found[0].columns}
