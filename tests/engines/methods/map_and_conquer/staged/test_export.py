"""Exported stages give what torch gives, in the runtime that users run."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import onnxruntime  # noqa: E402

from engines.data.scaling import Scaling  # noqa: E402
from engines.methods.map_and_conquer.staged.export import onnx_bytes  # noqa: E402
from engines.methods.map_and_conquer.staged.torch_network import build, in_stages  # noqa: E402
from tests.engines.methods.map_and_conquer.staged.test_torch_network import (  # noqa: E402
    ALL,
    CHAIN,
    IMAGES,
    PARTITION,
    reuse,
)


@pytest.mark.parametrize("reused", [ALL, reuse([[1, 0, 1], [0, 1, 1]]), reuse([[0, 0, 0], [0, 0, 0]])])
def test_the_file_gives_the_outputs_of_every_stage(reused: np.ndarray) -> None:
    staged = in_stages(build(CHAIN, 3), CHAIN, PARTITION, reused).eval()
    expected = staged(IMAGES).detach().numpy()
    session = onnxruntime.InferenceSession(onnx_bytes(staged, CHAIN), providers=["CPUExecutionProvider"])
    for count in (1, 5):  # any number of images
        found = session.run(None, {"images": IMAGES[:count].numpy()})[0]
        assert found == pytest.approx(expected[:count], abs=1e-5)


def test_the_same_weights_give_the_same_bytes() -> None:
    staged = in_stages(build(CHAIN, 3), CHAIN, PARTITION, ALL)
    assert onnx_bytes(staged, CHAIN) == onnx_bytes(staged, CHAIN)


def test_a_file_of_signals_takes_them_as_they_are_recorded() -> None:
    staged = in_stages(build(CHAIN, 3), CHAIN, PARTITION, ALL).eval()
    expected = staged(IMAGES).detach().numpy()
    scaling = Scaling(np.full(CHAIN.channels, 1013.25), np.full(CHAIN.channels, 5.0))
    content = onnx_bytes(staged, CHAIN, scaling)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    found = session.run(None, {"images": np.float32(IMAGES.numpy() * 5.0 + 1013.25)})[0]
    assert found == pytest.approx(expected, abs=1e-3)
