"""Arrays by name in an .npz file, without pickles and without trust in what its headers say."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted

SIGNATURE = b"PK"  # of zip files
NPY_SIGNATURE = b"\x93NUMPY"  # of a single array


def arrays_of_npz(content: bytes, field: str, accepted: str, most_bytes: int) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file, which cannot be written to.

    Args:
        content: the file.
        field: field that errors name.
        accepted: words of errors.
        most_bytes: largest size of the arrays.

    Raises:
        ProblemError: no zip file, a damaged one, one with something else than arrays or with pickles, or too large a one.
    """
    if content.startswith(NPY_SIGNATURE):
        raise ProblemError(
            field, "a single array (.npy)", f"{accepted}", remedies=["Write the array with numpy.savez and its name."]
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            entries = file.infolist()
            _check(entries, most_bytes)
            return {entry.filename.removesuffix(".npy"): _array(file, entry) for entry in entries}
    except Exception as error:  # damaged archives and headers raise nearly every type
        raise ProblemError(field, str(error)[:200] or type(error).__name__, accepted) from error


def _check(entries: list[zipfile.ZipInfo], most_bytes: int) -> None:
    """Refuse archives of something else, by a ValueError."""
    names = [entry.filename for entry in entries]
    others = [name for name in names if not name.endswith(".npy")]
    if any(name.endswith(("data.pkl", "constants.pkl")) for name in others):
        raise ValueError("a file of PyTorch, which is a pickle: save its arrays with numpy.savez or as safetensors")
    if others:
        raise ValueError(f"a zip file with {others[0][:80]!r}, which is no array")
    if len(set(names)) < len(names):
        raise ValueError("two arrays of one name")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > most_bytes:
        raise ValueError(f"{counted(unpacked)} bytes unpacked, more than {counted(most_bytes)}")


def _array(file: zipfile.ZipFile, entry: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """Return one array. Its header is compared with the bytes that are there before room for it is made."""
    name = entry.filename.removesuffix(".npy")
    with file.open(entry) as member:
        version = np.lib.format.read_magic(member)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, dtype = read_header(member)
        if dtype.hasobject or dtype.fields is not None:
            raise ValueError(f"array {name} of objects or records, which may be a pickle")
        data = member.read()
    if math.prod(shape) * dtype.itemsize != len(data):
        raise ValueError(f"array {name} of shape {shape} and type {dtype} with {counted(len(data))} bytes")
    if dtype.kind == "U" and data and not _is_text(np.frombuffer(data, f"{dtype.byteorder}u4")):
        raise ValueError(f"array {name} of words that are no text")
    flat = np.frombuffer(data, dtype=dtype) if data else np.empty(0, dtype)
    return flat.reshape(shape, order="F" if by_columns else "C")


def _is_text(codes: npt.NDArray[np.uint32]) -> bool:
    """Return whether numbers are characters: reading others would end in an error of the interpreter."""
    return not ((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))).any()
