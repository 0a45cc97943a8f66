"""Arrays that people bring along: order of axes, lengths, labels and names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.array_data import data_set_of
from engines.data.data_set import DataSet

LABELS = np.arange(30) % 3


def images(*shape: int, dtype: Any = np.uint8) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, shape).astype(dtype)


def read(**arrays: Any) -> DataSet:
    return data_set_of({name: np.asarray(each) for name, each in arrays.items()}, "mine", 1)


def labels_by_image(data: DataSet) -> dict[bytes, str]:
    """Content of each example -> name of its class."""
    return {
        image.tobytes(): data.classes[label]
        for split in data.splits().values()
        for image, label in zip(split.features, split.labels, strict=True)
    }


def test_features_and_labels_are_split_and_said_so() -> None:
    features = images(30, 3, 8, 8)
    data = read(features=features, labels=LABELS)
    assert (data.example_shape, data.classes, data.feature_scale) == ((3, 8, 8), ("0", "1", "2"), 1 / 255)
    assert labels_by_image(data) == {image.tobytes(): str(n % 3) for n, image in enumerate(features)}
    assert data.notes == (
        "Split off from the training examples, about 15 % of each class: 3 for validation and 6 for test.",
    )


@pytest.mark.parametrize(
    ("shape", "dtype", "right"),
    [
        ((32, 32, 3), np.uint8, (3, 32, 32)), ((24, 32, 4), np.float32, (4, 24, 32)), ((28, 28, 1), np.uint8, (1, 28, 28)),
        ((28, 20, 1), np.uint8, (1, 28, 20)), ((28, 28, 1), np.float32, (1, 28, 28)),
    ],
)  # fmt: skip
def test_channels_that_stand_last_are_moved_and_said(
    shape: tuple[int, ...], dtype: Any, right: tuple[int, ...]
) -> None:
    features = images(30, *shape, dtype=dtype)
    data = read(features=features, labels=LABELS)
    assert data.example_shape == right and "channels last" in data.notes[0]
    assert any(np.array_equal(data.train.features[0], image.transpose(2, 0, 1)) for image in features)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        ((3, 32, 32), np.uint8), ((1, 28, 28), np.float32), ((12, 16, 16), np.uint8), ((64, 8, 8), np.float32),
        ((3, 8, 12), np.uint8), ((1, 128, 1), np.float32), ((3, 128, 1), np.float32),
    ],
)  # fmt: skip
def test_channels_that_stand_first_stay(shape: tuple[int, ...], dtype: Any) -> None:
    data = read(features=images(30, *shape, dtype=dtype), labels=LABELS)
    assert data.example_shape == shape and len(data.notes) == 1


def test_bytes_without_channels_are_grey_images() -> None:
    data = read(**split("train", LABELS, 28, 20), **split("test", LABELS, 28, 20))
    assert data.example_shape == data.test.features.shape[1:] == (1, 28, 20) and "grey images" in data.notes[0]
    assert read(features=images(30, 9, 128, dtype=np.float32), labels=LABELS).example_shape == (9, 128)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((3, 32, 3), np.uint8), ((4, 4, 3), np.uint8), ((9, 128, 1), np.float32), ((64, 64, 12), np.float32), ((32, 48, 2), np.uint8)],
)  # fmt: skip
def test_sizes_that_do_not_tell_the_order_are_asked_about(shape: tuple[int, ...], dtype: Any) -> None:
    features = images(30, *shape, dtype=dtype)
    with pytest.raises(ProblemError, match="axes='NHWC'"):
        read(features=features, labels=LABELS)
    assert read(features=features, labels=LABELS, axes="NCHW").example_shape == shape
    assert read(features=features, labels=LABELS, axes="NHWC").example_shape == (shape[2], *shape[:2])
    with pytest.raises(ProblemError, match="axes 'HWC'"):
        read(features=features, labels=LABELS, axes="HWC")


@pytest.mark.parametrize(
    ("labels", "classes", "names", "note"),
    [
        (1 + LABELS, None, ("1", "2", "3"), "Labels 1 to 3 do not count from 0 on"),
        (np.array([3, 50, 99])[LABELS], None, ("3", "50", "99"), "the 3 values that occur are the classes"),
        (LABELS.astype(np.float64), None, ("0", "1", "2"), ""),
        (LABELS[:, None], None, ("0", "1", "2"), ""),
        (LABELS == 1, None, ("0", "1"), ""),
        (np.array(["owl", "cat", "dog"])[LABELS], None, ("cat", "dog", "owl"), ""),
        (np.array([b"owl", b"cat", b"dog"])[LABELS], None, ("cat", "dog", "owl"), ""),
        (LABELS, ["cat", "dog", "owl"], ("cat", "dog", "owl"), ""),
        (np.array([0, 1, 3])[LABELS], ["cat", "dog", "fox", "owl"], ("cat", "dog", "owl"), "left out: fox"),
        (np.array(["owl", "cat", "dog"])[LABELS], ["cat", "dog", "fox", "owl"], ("cat", "dog", "owl"), "left out: fox"),
    ],
)
def test_labels_become_classes_with_examples(
    labels: np.ndarray, classes: Any, names: tuple[str, ...], note: str
) -> None:
    features = images(30, 3, 8, 8)
    data = read(features=features, labels=labels, **({} if classes is None else {"classes": classes}))
    assert data.classes == names and note in " ".join(data.notes) and len(data.notes) == 1 + bool(note)
    if classes is None and labels.dtype.kind in "iU":
        assert labels_by_image(data) == {
            image.tobytes(): str(label) for image, label in zip(features, labels.ravel(), strict=True)
        }


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"labels": LABELS[:27]}, "30 features and 27 labels"),
        ({"labels": np.arange(33) % 3}, "30 features and 33 labels"),
        ({"labels": LABELS - 1}, "whole numbers from 0 on.*-1"),
        ({"labels": LABELS + 0.5}, r"whole numbers from 0 on.*0\.5"),
        ({"labels": np.full(30, np.nan)}, "whole numbers from 0 on.*nan"),
        ({"labels": np.eye(3)[LABELS]}, r"float64 of shape \(30, 3\).*argmax"),
        ({"labels": np.zeros(30, int)}, "1 different labels"),
        ({"labels": np.zeros(30, "M8[s]")}, "words"),
        ({"labels": np.array([b"\xff", b"a"] * 15)}, "UTF-8"),
        ({"classes": ["cat", "dog"]}, "0 to 1, as classes has 2 names.*'2'"),
        ({"labels": 1 + LABELS, "classes": ["cat", "dog", "owl"]}, "0 to 2, as classes has 3 names.*'3'"),
        ({"labels": np.array(["a", "b", "c"])[LABELS], "classes": ["a", "b"]}, "names in classes: a, b.*'c'"),
        ({"classes": ["cat", "cat", "dog"]}, "different names"),
        ({"features": images(30, 3, 8, 8, dtype=np.float64)}, "float64.*Convert the array with astype"),
        ({"features": images(30)}, "examples x channels"),
        ({"features": np.full((30, 3, 8, 8), np.inf, np.float32)}, "finite"),
        ({"feature_scale": np.nan}, "a positive number"),
        ({"feature_scale": ["x"]}, "a positive number"),
        ({"train_labels": LABELS}, "either features and labels"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_its_array(changed: dict[str, Any], match: str) -> None:
    with pytest.raises(ProblemError, match=match):
        read(**{"features": images(30, 3, 8, 8), "labels": LABELS, **changed})


def split(name: str, labels: np.ndarray, *shape: int) -> dict[str, np.ndarray]:
    return {f"{name}_features": images(len(labels), *(shape or (3, 8, 8))), f"{name}_labels": labels}


def test_splits_of_the_file_are_kept_and_the_missing_one_is_cut_off() -> None:
    data = read(**split("train", LABELS), **split("test", np.array([1, 1, 2])))
    assert [len(each) for each in data.splits().values()] == [24, 6, 3] and data.test.labels.tolist() == [1, 1, 2]
    assert data.notes[0] == "The test split has no example of 0." and data.notes[1].endswith("6 for validation.")
    last = read(
        **split("train", LABELS, 8, 8, 3), **split("validation", LABELS, 8, 8, 3), **split("test", LABELS, 8, 8, 3)
    )
    assert last.example_shape == last.test.features.shape[1:] == (3, 8, 8) and len(last.notes) == 1


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({}, "arrays none"),
        ({"x_train": LABELS}, "arrays x_train"),
        ({"features": images(30, 3, 8, 8)}, "an array labels"),
        (split("test", LABELS), "either features and labels"),
        ({**split("train", LABELS % 2), **split("test", LABELS)}, "no example of 2"),
        ({**split("train", LABELS), **split("test", LABELS.astype(str))}, "words in one split and numbers in another"),
        ({**split("train", LABELS, 8, 8, 3), **split("test", LABELS, 8, 8)}, "examples of 8 x 8 x 3"),
        ({**split("train", LABELS), **split("test", LABELS, 3, 9, 9)}, "examples of shape"),
        ({**split("train", LABELS), **split("test", LABELS[:0])}, "examples x channels"),
    ],
)  # fmt: skip
def test_splits_that_do_not_belong_together_are_refused(arrays: dict[str, np.ndarray], match: str) -> None:
    with pytest.raises(ProblemError, match=match):
        read(**arrays)


def test_other_arrays_are_named() -> None:
    assert "Arrays that are left out: ids." in read(features=images(30, 3, 8, 8), labels=LABELS, ids=LABELS).notes
