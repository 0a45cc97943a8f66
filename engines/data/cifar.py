"""CIFAR-10 and CIFAR-100 from the files of their binary version.

Source: A. Krizhevsky, Learning Multiple Layers of Features from Tiny Images (2009); format of cifar-10-binary and
cifar-100-binary: every example is its label bytes, then 3 x 32 x 32 bytes, red, green, blue, each row by row. The "python
version" of the same data holds pickles, which run code when they are read: it is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.splitting import SPLIT_SEED, stratified_split

Variant = Literal["cifar-10", "cifar-100"]
IMAGE_SHAPE = (3, 32, 32)
_IMAGE_BYTES = 3072
_SOURCE = "Krizhevsky, Learning Multiple Layers of Features from Tiny Images (2009), binary version"
_CIFAR_10 = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
_FILES: dict[Variant, tuple[tuple[str, ...], str, str]] = {
    "cifar-10": (tuple(f"data_batch_{number}.bin" for number in range(1, 6)), "test_batch.bin", "batches.meta.txt"),
    "cifar-100": (("train.bin",), "test.bin", "fine_label_names.txt"),
}


def read_cifar(folder: Path, variant: Variant, validation_share: float = 0.1, seed: int = SPLIT_SEED) -> DataSet:
    """Return the CIFAR from its folder; the validation split is taken of the training files, by class.

    Args:
        folder: holds the files of the binary version.
        variant: CIFAR-10 or CIFAR-100, the latter with its 100 fine labels.
        validation_share: validation share of the training examples.
        seed: seed of that split.

    Raises:
        ProblemError: a file is missing or is not of the binary version.
    """
    trained_on, tested_on, names = _FILES[variant]
    parts = [_records(folder / name, variant) for name in trained_on]
    whole = Split(np.concatenate([p.features for p in parts]), np.concatenate([p.labels for p in parts]))
    train, validation = stratified_split(whole, (1.0 - validation_share, validation_share), seed)
    return DataSet(
        name=variant,
        title=variant.upper(),
        train=train,
        validation=validation,
        test=_records(folder / tested_on, variant),
        classes=_classes(folder / names, variant),
        source=_SOURCE,
        feature_scale=1.0 / 255.0,
    )


def _records(path: Path, variant: Variant) -> Split:
    label_bytes = 1 if variant == "cifar-10" else 2
    size = label_bytes + _IMAGE_BYTES
    try:
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        accepted = f"the file {path.name} of the binary version of {variant}"
        reason = "The Python version of the data set contains pickles, which are not read."
        raise ProblemError("data.path", str(path), accepted, reason=reason) from error
    if len(data) == 0 or len(data) % size:
        raise ProblemError("data.path", f"{path.name} of {len(data)} bytes", f"a multiple of {size} bytes")
    records = data.reshape(-1, size)
    labels = records[:, label_bytes - 1].astype(np.int64)  # CIFAR-100: coarse label, then fine label
    return Split(records[:, label_bytes:].reshape(-1, *IMAGE_SHAPE).copy(), labels)


def _classes(path: Path, variant: Variant) -> tuple[str, ...]:
    """Return the names next to the data; the known ones, or numbers, where that file was left out."""
    if path.exists():
        return tuple(line.strip() for line in path.read_text("utf-8").splitlines() if line.strip())
    return _CIFAR_10 if variant == "cifar-10" else tuple(str(number) for number in range(100))
