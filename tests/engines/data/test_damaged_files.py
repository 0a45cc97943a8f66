"""Damaged files of data sets and weights are read or refused by name, in bounded time and memory."""

from __future__ import annotations

import io
import resource
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engines.contract.errors import ProblemError
from engines.data.archive import pack_data_set, unpack_data_set
from engines.data.array_data import data_set_of
from engines.data.data_set import DataSet, Split
from engines.data.image_folder import read_image_folder
from engines.data.scaling import Scaling
from engines.data.wfdb_files import read_record
from engines.learning.weights_file import packed, read_weights
from tests.engines.data.test_npz import npz, zipped
from tests.support.mutations import mutations

COUNT = 2000
LONGEST_S, MOST_BYTES = 10.0, 1_000_000_000  # of the processor, for one file; of memory, for all
RANDOM = np.random.default_rng(5)
IMAGES, LABELS = RANDOM.integers(0, 256, (30, 3, 6, 6), np.uint8), np.arange(30) % 3
WEIGHTS = {"a.weight": RANDOM.normal(size=(4, 5)).astype(np.float32), "a.steps": np.array(7)}

pytestmark = pytest.mark.long


@contextmanager
def bounded_memory() -> Iterator[None]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MOST_BYTES


def judge(data: bytes, read: Callable[[bytes], object], count: int = COUNT, seed: int = 1) -> None:
    """Read damaged copies of a file; what is not read must be refused in words that say where."""
    outcomes = {"read": 0, "refused": 0}
    with bounded_memory():
        for content in mutations(data, count, seed):
            start = time.process_time()
            try:
                read(content)
                outcomes["read"] += 1
            except ProblemError:
                outcomes["refused"] += 1
            assert time.process_time() - start < LONGEST_S
    assert min(outcomes.values()) > 0, outcomes


FORMATS = {
    "png": COUNT,
    "jpg": COUNT,
    "tif": 500,
    "gif": 500,
    "webp": 500,
    "bmp": 500,
    "ico": 500,
    "jp2": 500,
    "tga": 500,
}


@pytest.mark.parametrize(("ending", "count"), FORMATS.items())
def test_images(tmp_path: Path, ending: str, count: int) -> None:
    for label in "ab":
        (tmp_path / label).mkdir()
        for number in range(6):
            Image.new("RGB", (8, 8), (40 * number, 0, 0)).save(tmp_path / label / f"{number}.png")
    path = tmp_path / "a" / f"damaged.{ending}"
    exif = Image.Exif()
    exif[0x0112] = 6
    image, target = Image.fromarray(RANDOM.integers(0, 256, (24, 32, 3), np.uint8)), io.BytesIO()
    image.save(target, Image.registered_extensions()[path.suffix], **({"exif": exif} if ending == "jpg" else {}))

    def read(content: bytes) -> None:
        path.write_bytes(content)
        data = read_image_folder(tmp_path, 8)
        assert sum(map(len, data.splits().values())) == 13 and data.example_shape == (3, 8, 8)

    judge(target.getvalue(), read, count)


@pytest.mark.parametrize(
    "content",
    [
        npz(features=IMAGES, labels=LABELS, classes=["cat", "dog", "owl"]),
        pack_data_set(data_set_of({"features": IMAGES, "labels": LABELS}, "mine", 1)),
    ],
    ids=["brought", "stored"],
)
def test_arrays(content: bytes) -> None:
    def read(content: bytes) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that numpy does not like
            data = unpack_data_set(content, "mine")
        assert all(len(split.features) == len(split.labels) > 0 for split in data.splits().values())

    judge(content, read)


def members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


SIGNALS = DataSet(
    "mine", "Mine", *(Split(RANDOM.normal(size=(9, 2, 8, 1)).astype(np.float32), LABELS[:9]) for _ in range(3)), ("a", "b", "c"),
    "me",
    scaling=Scaling(np.array([1.0, 2.0]), np.array([0.5, 2.0]), ("x", "y")),
)  # fmt: skip
ARCHIVES = {
    "brought": members(npz(features=IMAGES, labels=LABELS, classes=["a", "b", "c"])),
    "stored": members(pack_data_set(SIGNALS)),
}


@pytest.mark.parametrize(("archive", "member"), [(name, member) for name, held in ARCHIVES.items() for member in held])
def test_an_array_in_a_whole_archive(archive: str, member: str) -> None:
    held = ARCHIVES[archive]

    def read(content: bytes) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            unpack_data_set(zipped(*(held | {member: content}).items()), "mine")

    judge(held[member], read, 500)


WEIGHT_FILES = {"safetensors": packed(WEIGHTS, {"title": "Mine", "classes": '["a"]'}), "npz": npz(**WEIGHTS)}


@pytest.mark.parametrize("content", WEIGHT_FILES.values(), ids=WEIGHT_FILES)
def test_weights(content: bytes) -> None:
    def read(content: bytes) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert read_weights(content, "mine").content["tensors"]

    judge(content, read)


@pytest.mark.parametrize("ending", ["hea", "dat", "atr"])
def test_wfdb_records(tmp_path: Path, ending: str) -> None:
    values = RANDOM.integers(-2000, 2000, (600, 2)).astype("<i2")
    (tmp_path / "a.dat").write_bytes(values.tobytes())
    lines = "".join(f"a.dat 16 200.5(10)/mV 16 0 0 0 0 lead {lead}\n" for lead in ("I", "II"))
    (tmp_path / "a.hea").write_text(f"a 2 100/100(0) 600 12:00:00\n{lines}# Dx: N\n")
    beats = b"".join(((1, 5)[beat % 2] << 10 | 19).to_bytes(2, "little") for beat in range(30))
    note = b"## time resolution: 100\0"
    (tmp_path / "a.atr").write_bytes(
        (22 << 10).to_bytes(2, "little") + (63 << 10 | 23).to_bytes(2, "little") + note + beats
    )

    def read(content: bytes) -> None:
        (tmp_path / f"a.{ending}").write_bytes(content)
        found = read_record(tmp_path / "a.hea", "Dx", annotations="atr")
        assert len(found.values) == len(found.labels) and found.values.dtype == np.float32

    judge((tmp_path / f"a.{ending}").read_bytes(), read)
