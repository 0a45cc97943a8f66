"""Files of arrays: what is no array is refused by what it is."""

from __future__ import annotations

import io
import pickle
import zipfile
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.npz import arrays_of_npz


def npz(**arrays: Any) -> bytes:
    target = io.BytesIO()
    np.savez_compressed(target, **arrays)
    return target.getvalue()


def zipped(*members: tuple[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, content in members:
            file.writestr(name, content)
    return target.getvalue()


def npy(array: np.ndarray) -> bytes:
    target = io.BytesIO()
    np.save(target, array)
    return target.getvalue()


def read(content: bytes, most_bytes: int = 10**6) -> dict[str, np.ndarray]:
    return arrays_of_npz(content, "data.file", "an .npz file", most_bytes)


def test_arrays_of_every_kind_come_back_equal() -> None:
    arrays = {
        "by_rows": np.arange(6, dtype=np.int16).reshape(2, 3), "by_columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "one": np.array(3, np.uint8), "none": np.zeros((0, 3), np.float32), "words": np.array(["a", "\u00e9\u4e2d"]),
        "swapped": np.arange(3, dtype=">f4"), "truth": np.array([True, False]),
    }  # fmt: skip
    found = read(npz(**arrays))
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and np.array_equal(found[name], array)


ARRAY = npy(np.zeros(4))


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (b"", "not a zip file"),
        (ARRAY, "a single array"),
        (zipped(("mine/data.pkl", pickle.dumps({})), ("mine/data/0", b"")), "a file of PyTorch"),
        (zipped(("word/document.xml", b"<x/>")), "'word/document.xml', which is no array"),
        (zipped(("a.npy", ARRAY[:-8])), "array a of shape"),
        (zipped(("a.npy", ARRAY.replace(b"(4,)", b"(9,)"))), "array a of shape"),
        (zipped(("a.npy", b"no array")), "magic string"),
        (npz(a=np.array([{}], dtype=object)), "pickle"),
        (npz(a=np.zeros(10**6)), "bytes unpacked"),
        (npz(a=np.zeros(3, "i4,f4")), "array a of objects or records"),
        (npz(a=np.array([0x110000], "u4").view("U1")), "array a of words that are no text"),
        (npz(a=np.array([0xD800], ">u4").view(">U1")), "array a of words that are no text"),
    ],
)
def test_what_is_no_archive_of_arrays_is_refused(content: bytes, got: str) -> None:
    with pytest.raises(ProblemError) as refused:
        read(content)
    assert got in refused.value.got and refused.value.field == "data.file"
    assert refused.value.accepted.startswith("an .npz file")


def test_a_header_that_promises_more_than_there_is_takes_no_memory() -> None:
    with pytest.raises(ProblemError, match="array a of shape"):
        read(zipped(("a.npy", ARRAY.replace(b"(4,), }" + b" " * 14, b"(400000000000,), }   "))))


def test_two_arrays_of_one_name_are_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zipped(("a.npy", ARRAY), ("a.npy", ARRAY))
    with pytest.raises(ProblemError, match="one name"):
        read(content)
