"""Arrays of a file as a data set: `features` and `labels`, or `train_features`, `train_labels` and so on.

Nothing is guessed: channels that stand last are moved where the sizes leave no doubt and are asked about elsewhere, lengths must
agree, and labels become classes 0, 1, ... that each have examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.data.data_set import DataSet, Split
from engines.data.names import first_names
from engines.data.scaling import Scaling
from engines.data.splitting import complete_splits

Arrays = Mapping[str, npt.NDArray[Any]]
SPLITS = ("train", "validation", "test")
MAX_CLASSES = 10_000
_CHANNELS = (1, 3, 4)  # of images
_AXES = ("NCHW", "NHWC")
_SCALING = ("scaling_mean", "scaling_deviation", "scaling_channels")


def data_set_of(arrays: Arrays, name: str, seed: int) -> DataSet:
    """Read a data set from arrays.

    Args:
        arrays: `features` and `labels`, or both with `train_` and, where there are such splits, `validation_` and `test_`; perhaps
            `classes` (names), `feature_scale`, and `axes` ("NCHW", "NHWC").
        name: name of the data set.
        seed: seed of the splits that are missing.

    Raises:
        ProblemError: names the array that cannot be used.
    """
    prefixes = _prefixes(arrays)
    features = {split: _features(arrays, f"{prefix}features") for split, prefix in prefixes.items()}
    labels = {split: _labels(arrays, f"{prefix}labels") for split, prefix in prefixes.items()}
    for split, prefix in prefixes.items():
        if len(features[split]) != len(labels[split]):
            got = f"{counted(len(features[split]))} features and {counted(len(labels[split]))} labels"
            raise ProblemError(f"data.{prefix}labels", got, "one label for each example")
    ordered, axes_notes = _channels_first(features, arrays.get("axes"))
    numbers, classes, class_notes = _numbered(labels, arrays.get("classes"))
    given = {split: Split(ordered[split], numbers[split]) for split in prefixes}
    (train, validation, test), cut = complete_splits(given, seed)
    known = {f"{prefix}{each}" for prefix in prefixes.values() for each in ("features", "labels")}
    others = sorted(set(arrays).difference(known, ("classes", "feature_scale", "axes"), _SCALING))
    left_out = [f"Arrays that are left out: {first_names(others)}."] if others else []
    scale = scale_of(arrays, 1.0 / 255.0 if train.features.dtype == np.uint8 else 1.0)
    notes = (*axes_notes, *class_notes, *cut, *left_out)
    return DataSet(name, name, train, validation, test, classes, f"file of {name}", scale, scaling_of(arrays), notes)


def scaling_of(arrays: Arrays) -> Scaling | None:
    """Return the scaling of signals; None where the file has none, as those of earlier versions; raises ProblemError."""
    if not any(name in arrays for name in _SCALING[:2]):
        return None
    for name in _SCALING[:2]:
        if name not in arrays or arrays[name].dtype.kind not in "fiu":
            raise ProblemError(
                f"data.{name}",
                "no numbers",
                f"{' and '.join(_SCALING[:2])}, a number for each channel, without pickles",
            )
    return Scaling(arrays[_SCALING[0]], arrays[_SCALING[1]], tuple(map(str, arrays.get(_SCALING[2], ()))))


def scale_of(arrays: Arrays, default: float) -> float:
    """Return `feature_scale`, a positive number; raises ProblemError."""
    held = arrays.get("feature_scale", np.array(default))
    if held.size != 1 or held.dtype.kind not in "iuf" or not (np.isfinite(held).all() and (held > 0).all()):
        raise ProblemError("data.feature_scale", f"{held.dtype} of shape {held.shape}", "a positive number")
    return float(held.reshape(()))


def _prefixes(arrays: Arrays) -> dict[str, str]:
    """Split -> what the names of its arrays begin with; arrays without a split are all "train"."""
    splits = {split: f"{split}_" for split in SPLITS if {f"{split}_features", f"{split}_labels"} & arrays.keys()}
    whole = bool({"features", "labels"} & arrays.keys())
    if whole == bool(splits) or (splits and "train" not in splits):
        accepted = "either features and labels, or train_features, train_labels and the same for validation_ and test_"
        raise ProblemError("data.file", f"arrays {first_names(sorted(arrays)) or 'none'}", accepted)
    return splits or {"train": ""}


def _held(arrays: Arrays, key: str) -> npt.NDArray[Any]:
    if key not in arrays:
        raise ProblemError(f"data.{key}", f"arrays {first_names(sorted(arrays))}", f"an array {key}")
    return arrays[key]


def _features(arrays: Arrays, key: str) -> npt.NDArray[Any]:
    features = _held(arrays, key)
    if features.dtype not in (np.uint8, np.float32):
        accepted = "uint8 (images from 0 to 255) or float32"
        raise ProblemError(f"data.{key}", str(features.dtype), accepted, remedies=["Convert the array with astype."])
    if features.ndim < 2 or features.size == 0:
        raise ProblemError(f"data.{key}", f"shape {features.shape}", "examples x channels x height x width")
    if features.dtype == np.float32 and not np.isfinite(features).all():
        raise ProblemError(f"data.{key}", "numbers that are not finite", "finite numbers")
    return features


def _labels(arrays: Arrays, key: str) -> npt.NDArray[Any]:
    """Return a row of whole numbers (int64) or of words."""
    labels = _held(arrays, key)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or labels.dtype.kind not in "iufbUS":
        accepted = "a row of whole numbers or words, one for each example"
        ways = ["Convert one-hot rows with labels.argmax(axis=1)."]
        raise ProblemError(f"data.{key}", f"{labels.dtype} of shape {labels.shape}", accepted, remedies=ways)
    try:
        words = np.char.decode(labels, "utf-8") if labels.dtype.kind == "S" else labels
    except UnicodeDecodeError as error:
        raise ProblemError(f"data.{key}", str(error), "words in UTF-8") from error
    if words.dtype.kind == "U":
        return words
    wrong = (labels != np.floor(labels)) | (labels < 0) | (labels > 2**53)  # neither is true of NaN
    if wrong.any() or np.isnan(labels).any():
        got = labels[wrong | np.isnan(labels)][0]
        raise ProblemError(f"data.{key}", float(got), "whole numbers from 0 on, or words")
    return labels.astype(np.int64)


def _channels_first(features: Arrays, said: npt.NDArray[Any] | None) -> tuple[dict[str, npt.NDArray[Any]], list[str]]:
    """Return the features as `n x channels x height x width`, and a sentence where they were not."""
    shape = features["train"].shape[1:]
    if len(shape) == 2 and features["train"].dtype == np.uint8:  # signals are fractions
        whole = {split: np.expand_dims(held, 1) for split, held in features.items()}
        return whole, [f"Examples of {_sizes(shape)} are read as grey images."]
    if len(shape) != 3:
        return dict(features), []
    axes = _axes(shape, features["train"].dtype == np.uint8) if said is None else str(said)
    if axes not in _AXES:
        got = f"examples of {_sizes(shape)}" + (f", axes {axes!r}" if said is not None else "")
        reason = "The order of the axes is ambiguous."
        ways = ["Name the axes in a further array, as in numpy.savez(..., axes='NHWC') for channels last."]
        raise ProblemError("data.features", got, "examples of channels x height x width", reason=reason, remedies=ways)
    if axes == "NCHW":
        return dict(features), []
    wrong = [split for split, held in features.items() if held.ndim != 4]
    if wrong:
        raise ProblemError(f"data.{wrong[0]}_features", features[wrong[0]].shape, f"examples of {_sizes(shape)}")
    ordered = {split: np.ascontiguousarray(held.transpose(0, 3, 1, 2)) for split, held in features.items()}
    note = f"Examples of {_sizes(shape)} have their channels last; they were moved to the front."
    return ordered, [note]


def _axes(shape: tuple[int, ...], of_bytes: bool) -> str:
    """Return the order of the axes of an example; "" where the sizes do not tell it."""
    first, second, last = shape
    if last == 1:  # a grey image, or a window of signals: channels x samples x 1
        return "NCHW" if first in _CHANNELS else "NHWC" if of_bytes or first == second else ""
    if last in _CHANNELS:
        return "" if first in _CHANNELS else "NHWC"
    return "" if last < first and last != second else "NCHW"


def _numbered(labels: Arrays, said: npt.NDArray[Any] | None) -> tuple[dict[str, IntArray], tuple[str, ...], list[str]]:
    """Return the labels as numbers of classes that all have examples, the names of these, and sentences about what changed."""
    if len({each.dtype.kind for each in labels.values()}) > 1:
        raise ProblemError("data.labels", "words in one split and numbers in another", "labels of one kind")
    values = np.unique(np.concatenate(list(labels.values())))
    by_value, notes = _names(values, said)
    if not 2 <= len(values) <= MAX_CLASSES:
        raise ProblemError("data.labels", f"{counted(len(values))} different labels", f"2 to {counted(MAX_CLASSES)}")
    for split, each in labels.items():
        lacking = [by_value[value] for value in np.setdiff1d(values, each).tolist()]
        if lacking and split == "train":
            accepted = "examples of every class in the training split"
            raise ProblemError("data.train_labels", f"no example of {first_names(lacking)}", accepted)
        if lacking:
            notes.append(f"The {split} split has no example of {first_names(lacking)}.")
    numbers = {split: np.searchsorted(values, each).astype(np.int64) for split, each in labels.items()}
    return numbers, tuple(by_value[value] for value in values.tolist()), notes


def _names(values: npt.NDArray[Any], said: npt.NDArray[Any] | None) -> tuple[dict[Any, str], list[str]]:
    """Label -> name of its class, and a sentence where classes are left out or numbered anew."""
    in_words = values.dtype.kind == "U"
    if said is None:
        renumbered = not in_words and not np.array_equal(values, np.arange(len(values)))
        note = f"Labels {values[0]} to {values[-1]} do not count from 0 on: the {len(values)} values that occur are the classes."
        return {value: str(value) for value in values.tolist()}, [note] if renumbered else []
    names = [str(each) for each in said.ravel().tolist()]
    if said.ndim != 1 or len(set(names)) < len(names) or said.dtype.kind not in "Uiu":
        raise ProblemError(
            "data.classes", f"{said.dtype} of shape {said.shape}: {first_names(names)}", "a row of different names"
        )
    known = dict(zip(names, names, strict=True)) if in_words else dict(enumerate(names))
    unknown = [str(value) for value in values.tolist() if value not in known]
    if unknown:
        accepted = (
            f"names in classes: {first_names(names)}"
            if in_words
            else f"0 to {len(names) - 1}, as classes has {len(names)} names"
        )
        raise ProblemError("data.labels", first_names(unknown), accepted)
    used = set(values.tolist())
    unused = [name for value, name in known.items() if value not in used]
    return known, [f"Classes without an example are left out: {first_names(unused)}."] if unused else []


def _sizes(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
