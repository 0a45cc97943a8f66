"""Exported files give what torch gives."""

from __future__ import annotations

import io
import zipfile

import pytest

torch = pytest.importorskip("torch")

import onnxruntime  # noqa: E402

from engines.methods.hadas.training.export import onnx_bytes, stages_archive  # noqa: E402
from tests.engines.methods.hadas.training.test_trainer import SHAPE, numbered  # noqa: E402


def opened(content: bytes) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


def test_the_whole_file_gives_the_outputs_of_all_ends() -> None:
    network = numbered().network.eval()
    images = torch.rand(1, 1, 8, 8)
    found = opened(onnx_bytes(network, SHAPE)).run(None, {"images": images.numpy()})[0]
    assert found == pytest.approx(network(images).detach().numpy(), abs=1e-5)


def test_stages_one_after_the_other_give_the_same_outputs() -> None:
    network = numbered().network.eval()
    images = torch.rand(1, 1, 8, 8)
    expected = network(images).detach().numpy()[0]
    features = images.numpy()
    with zipfile.ZipFile(io.BytesIO(stages_archive(network, SHAPE))) as archive:
        assert archive.namelist() == ["stage1.onnx", "stage2.onnx", "stage3.onnx"]
        for number, name in enumerate(archive.namelist()):
            features, outputs = opened(archive.read(name)).run(None, {"features": features})
            assert outputs[0] == pytest.approx(expected[number], abs=1e-5)
