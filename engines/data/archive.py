"""Data sets as one .npz file: the form in which every data set that is brought along is kept, and one to bring it in.

Arrays `train_features`, `train_labels`, `validation_features`, ... and `test_labels`, `classes` (text), `feature_scale`, `words`
(title, source). Features of signals may have been scaled: then `scaling_mean` and `scaling_deviation` hold a number per channel,
and `scaling_channels` names. Nothing in it is a pickle.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines.contract.errors import ProblemError
from engines.data.array_data import SPLITS, Arrays, data_set_of, scale_of, scaling_of
from engines.data.data_set import DataSet, Split
from engines.data.npz import arrays_of_npz
from engines.data.splitting import SPLIT_SEED

MAX_UNPACKED_BYTES = 2_000_000_000
_OWN = {
    "words",
    "classes",
    "feature_scale",
    *(f"{split}_{each}" for split in SPLITS for each in ("features", "labels")),
}
_ACCEPTED = "an .npz file with features and labels, or train_, validation_ and test_ of both, without pickles"


def pack_data_set(data: DataSet) -> bytes:
    """Return `data` as the bytes of an .npz file; equal data give equal bytes."""
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "classes": np.array(data.classes, dtype=np.str_),
        "feature_scale": np.array(data.feature_scale),
        "words": np.array([data.title, data.source], dtype=np.str_),
    }
    if data.scaling is not None:
        arrays |= {f"scaling_{name}": np.array(values) for name, values in data.scaling.content.items() if values}
    for name, split in data.splits().items():
        arrays |= {f"{name}_features": split.features, f"{name}_labels": split.labels}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(array, order="C"), allow_pickle=False)
            # A fixed date: `np.savez` writes the clock's.
            file.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getvalue())
    return target.getvalue()


def unpack_data_set(content: bytes, name: str, seed: int = SPLIT_SEED) -> DataSet:
    """Read the data set in the bytes of an .npz file: what `pack_data_set` wrote as it is, arrays of others as `data_set_of` does.

    Args:
        content: the file.
        name: name of the data set.
        seed: seed of the splits that the file lacks.

    Raises:
        ProblemError: the file is not such an archive, or names the array that cannot be used.
    """
    arrays = arrays_of_npz(content, "data.file", _ACCEPTED, MAX_UNPACKED_BYTES)
    return _packed(arrays, name) if arrays.keys() >= _OWN else data_set_of(arrays, name, seed)


def read_archive(path: Path, name: str = "", seed: int = SPLIT_SEED) -> DataSet:
    """Return the data set in an .npz file; see `unpack_data_set`.

    Raises:
        ProblemError: it cannot be read.
    """
    try:
        return unpack_data_set(path.read_bytes(), name or path.stem, seed)
    except OSError as error:
        raise ProblemError("data.path", str(path), "a readable .npz file") from error


def _packed(arrays: Arrays, name: str) -> DataSet:
    """Return the data set that `pack_data_set` packed."""
    train, validation, test = (_split(arrays, f"{split}_") for split in SPLITS)
    for key, size in (("words", 2), ("classes", arrays["classes"].size)):
        if arrays[key].shape != (size,):
            raise ProblemError(f"data.{key}", f"shape {arrays[key].shape}", "a row of words")
    title, source = map(str, arrays["words"])
    classes = tuple(map(str, arrays["classes"]))
    return DataSet(name, title, train, validation, test, classes, source, scale_of(arrays, 1.0), scaling_of(arrays))


def _split(arrays: Arrays, prefix: str) -> Split:
    features, labels = arrays[f"{prefix}features"], arrays[f"{prefix}labels"]
    good = (
        features.dtype in (np.uint8, np.float32)
        and features.ndim > 1
        and labels.dtype.kind in "iu"
        and labels.ndim == 1
    )
    if not good or (features.dtype == np.float32 and not np.isfinite(features).all()):
        accepted = "finite numbers, with one whole number per example in labels"
        raise ProblemError(f"data.{prefix}features", str(features.dtype), accepted)
    return Split(features, labels.astype(np.int64))
