"""Exits trained on images that came from files: made up here, in the real formats, and read by the product's own loaders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engines.contract.engine import Document, File
from engines.data.archive import pack_data_set
from engines.data.cifar import read_cifar
from engines.data.data_set import DataSet
from engines.data.documents import image_data_document
from engines.data.image_folder import read_image_folder
from engines.documents.families import load
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive

pytest.importorskip("torch")

PARAMS = {"blocks": 2, "width": 4, "exit_channels": 4, "epochs": 4, "exit_epochs": 4, "batch_size": 16}
_PER_CLASS = 20


def _image(random: np.random.Generator, label: int, side: int) -> np.ndarray:
    """Made up: noise whose brightness of the first two colours tells the class."""
    noise = random.integers(0, 40, (3, side, side))
    noise[0] += 20 * label
    noise[1] += 200 - 20 * label
    return noise.astype(np.uint8)


def cifar(folder: Path) -> DataSet:
    """A small CIFAR-10: its six binary files with made-up images."""
    random = np.random.default_rng(0)
    for name in (*(f"data_batch_{number}.bin" for number in range(1, 6)), "test_batch.bin"):
        records = [
            bytes([label]) + _image(random, label, 32).tobytes() for _ in range(_PER_CLASS // 5) for label in range(10)
        ]
        (folder / name).write_bytes(b"".join(records))
    return read_cifar(folder, "cifar-10", validation_share=0.2)


def image_folder(folder: Path) -> DataSet:
    """A folder of PNG files for each of two classes, made up."""
    from PIL import Image

    random = np.random.default_rng(0)
    for label, name in ((0, "cat"), (9, "dog")):
        (folder / name).mkdir()
        for number in range(_PER_CLASS):
            pixels = _image(random, label, 12).transpose(1, 2, 0)
            Image.fromarray(pixels).save(folder / name / f"{number}.png")
    return read_image_folder(folder, 8)


@pytest.mark.parametrize(("make", "shape", "classes"), [(cifar, (3, 32, 32), 10), (image_folder, (3, 8, 8), 2)])
def test_exits_learn_from_files_and_come_as_a_document(
    make: Callable[[Path], DataSet], shape: tuple[int, ...], classes: int, tmp_path: Path
) -> None:
    data = make(tmp_path)
    assert data.example_shape == shape and len(data.classes) == classes
    packed = pack_data_set(data)
    stored = {"sha256": hashlib.sha256(packed).hexdigest(), "size_bytes": len(packed)}
    document = Document("data", "made-up", 1, image_data_document(data, "made-up", stored))
    problem = make_problem("train-exits", {"data": document}, PARAMS, seed=1)
    context = LocalContext(problem)
    context.files.put(packed)
    steps = list(drive(get_engine("train-exits"), problem, context))
    best = max(step.designs.columns["test_accuracy_percent"].max() for step in steps if step.designs)
    assert best > 150 / classes  # guessing gives 100 / classes
    found = {file.name: file for step in steps for file in step.files if isinstance(file, File)}
    measured = load(json.loads(found["measured-exits.json"].data))
    assert measured.network.operations[0].c == 3 and measured.network.operations[0].y == shape[1]
    assert measured.right.shape == (len(data.validation), 2)
    assert {"exits.onnx", "exits-by-stage.zip", "exits-by-entropy.onnx"} <= found.keys()
