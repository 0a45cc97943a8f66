"""Data sets as one .npz file: the form in which every data set that is brought along is kept, and one to bring it in.

Arrays `train_features`, `train_labels`, `validation_features`, ... and `test_labels`, `classes` (text), `feature_scale`; or
`features` and `labels` alone, which are split by class. Features of signals may have been scaled: then `scaling_mean` and
`scaling_deviation` hold a number per channel, and `scaling_channels` names. Nothing in it is a pickle.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.scaling import Scaling
from engines.data.splitting import SPLIT_SEED, stratified_split

SPLITS = ("train", "validation", "test")
SHARES = (0.7, 0.15, 0.15)
MAX_UNPACKED_BYTES = 2_000_000_000


def pack_data_set(data: DataSet) -> bytes:
    """`data` as the bytes of an .npz file; equal data give equal bytes."""
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
    """The data set in the bytes of an .npz file.

    Args:
        content: the file.
        name: of the data set.
        seed: of the split, where the file has `features` and `labels` alone.

    Raises:
        ProblemError: the file is not such an archive.
    """
    try:
        arrays = _arrays(content)
        splits = _splits(arrays, seed)
        count = max(int(split.labels.max()) for split in splits) + 1
        classes = tuple(str(each) for each in arrays.get("classes", np.arange(count)))
        title, source = (str(each) for each in arrays.get("words", (name, f"file of {name}")))
        scaling = _scaling(arrays)
        scale = float(arrays.get("feature_scale", 1.0 / 255.0 if splits[0].features.dtype == np.uint8 else 1.0))
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, NotImplementedError) as error:
        accepted = "an .npz file with features and labels, or train_, validation_ and test_ of both, without pickles"
        raise ProblemError("data.file", str(error)[:200], accepted) from error
    train, validation, test = splits
    return DataSet(name, title, train, validation, test, classes, source, scale, scaling)


def read_archive(path: Path, name: str = "", seed: int = SPLIT_SEED) -> DataSet:
    """The data set in an .npz file; see `unpack_data_set`.

    Raises:
        ProblemError: it cannot be read.
    """
    try:
        return unpack_data_set(path.read_bytes(), name or path.stem, seed)
    except OSError as error:
        raise ProblemError("data.path", str(path), "a readable .npz file") from error


def _arrays(content: bytes) -> dict[str, npt.NDArray[np.generic]]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        unpacked = sum(entry.file_size for entry in file.infolist())
    if unpacked > MAX_UNPACKED_BYTES:
        raise ValueError(f"{unpacked} bytes unpacked, more than {MAX_UNPACKED_BYTES}")
    with np.load(io.BytesIO(content), allow_pickle=False) as held:
        return {key: held[key] for key in held.files}


def _scaling(arrays: dict[str, npt.NDArray[np.generic]]) -> Scaling | None:
    """None where the file has no scaling, as those of earlier versions."""
    if not {"scaling_mean", "scaling_deviation"} & arrays.keys():
        return None
    channels = tuple(str(each) for each in arrays.get("scaling_channels", ()))
    return Scaling(*(arrays[f"scaling_{name}"].astype(np.float64) for name in ("mean", "deviation")), channels)


def _splits(arrays: dict[str, npt.NDArray[np.generic]], seed: int) -> tuple[Split, ...]:
    if "features" in arrays:
        return stratified_split(_split(arrays, ""), SHARES, seed)
    return tuple(_split(arrays, f"{name}_") for name in SPLITS)


def _split(arrays: dict[str, npt.NDArray[np.generic]], prefix: str) -> Split:
    features, labels = arrays[f"{prefix}features"], arrays[f"{prefix}labels"]
    if features.dtype not in (np.uint8, np.float32) or not np.issubdtype(labels.dtype, np.integer) or labels.ndim != 1:
        raise ValueError("features must be uint8 or float32, and labels a row of whole numbers")
    if features.dtype == np.float32 and not np.isfinite(features).all():
        raise ValueError("features must be finite")
    return Split(features, labels.astype(np.int64))
