"""A data set as engines see it: three splits of labelled examples, whose identity is the hash of their content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.data.scaling import Scaling

Features = npt.NDArray[np.generic]


@dataclass(frozen=True)
class Split:
    """Labelled examples.

    Attributes:
        features: one example per row: images as uint8 of shape `n x channels x height x width`, signals as float32 of shape
            `n x channels x samples`.
        labels: class of each example, int64 of shape `n`, from 0 on.
    """

    features: Features
    labels: IntArray

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: IntArray) -> Split:
        """Return the examples at the given rows, in that order."""
        return Split(self.features[rows], self.labels[rows])


@dataclass(frozen=True)
class DataSet:
    """Examples to learn from, to choose by and to report on; no example stands in two splits.

    Attributes:
        name: in the catalogue (hyphens); quoted next to every accuracy.
        title: for people.
        train, validation, test: the splits. Searches look at `validation`; what is reported of a finished one is of `test`.
        classes: names of the labels 0, 1, ...
        source: source of the examples.
        feature_scale: what features are multiplied by to lie within 0..1; 1 for signals.
        scaling: of signals, by which recorded values became features; None for images, and where it was not stored.
        notes: sentences of the reader of files: what was left out, converted or assumed. No part of the content.
    """

    name: str
    title: str
    train: Split
    validation: Split
    test: Split
    classes: tuple[str, ...]
    source: str
    feature_scale: float = 1.0
    scaling: Scaling | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = self.train.features.shape[1:]
        for name, split in self.splits().items():
            place = f"data.{name}"
            _require(len(split.features) == len(split.labels) > 0, place, len(split.labels), "one label per example")
            _require(split.features.shape[1:] == shape, place, split.features.shape[1:], f"examples of shape {shape}")
            low, high = int(split.labels.min()), int(split.labels.max())
            _require(low >= 0 and high < len(self.classes), place, (low, high), f"labels 0 to {len(self.classes) - 1}")
            for array in (split.features, split.labels):
                array.setflags(write=False)
        if self.scaling is not None:
            channels = len(self.scaling.mean)
            _require(
                shape[:1] == (channels,),
                "data.scaling",
                f"{channels} channels",
                f"{shape[0]} channels, as examples have",
            )

    @property
    def example_shape(self) -> tuple[int, ...]:
        """Shape of one example."""
        return tuple(self.train.features.shape[1:])

    def splits(self) -> dict[str, Split]:
        """Name -> split."""
        return {"train": self.train, "validation": self.validation, "test": self.test}

    def content_hash(self) -> str:
        """Return the SHA-256 (hex) of the classes, the scale and every example with its label; names and words play no part."""
        digest = hashlib.sha256(repr((self.classes, self.feature_scale)).encode())
        if self.scaling is not None:  # the same features of other recorded values ask for other code on a device
            digest.update(repr((self.scaling.mean.tolist(), self.scaling.deviation.tolist())).encode())
        for name, split in self.splits().items():
            for array in (split.features, split.labels):
                digest.update(repr((name, array.dtype.str, array.shape)).encode())
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


def _require(condition: bool, place: str, got: object, accepted: str) -> None:
    if not condition:
        raise ProblemError(place, got, accepted)
