"""Files of weights: arrays by name, as safetensors or .npz. Both hold nothing that runs; no pickle is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.data.names import first_names
from engines.data.npz import NPY_SIGNATURE, SIGNATURE, arrays_of_npz
from engines.learning.weights_document import MOST_TENSORS, NETWORK_WEIGHTS_SCHEMA
from hardware.slugs import slug_of

Array = npt.NDArray[np.floating[Any]]
MAX_UNPACKED_BYTES = 400_000_000
WORDS = 2000  # of a source, at most
_LARGEST = float(np.finfo(np.float32).max)
_TYPES = {"F16": "float16", "F32": "float32", "F64": "float64"}
_WHOLE = {
    f"{letter}{bits}": f"{word}{bits}" for letter, word in (("I", "int"), ("U", "uint")) for bits in (8, 16, 32, 64)
}
_WHOLE["BOOL"] = "bool"
_NUMBERS = f"weights of type {', '.join(_TYPES.values())} or bfloat16 (data sets come in by paretoscope import_data)"
_ACCEPTED = "an undamaged .safetensors file, or an .npz file without pickles"


def packed(arrays: Mapping[str, Array], words: Mapping[str, str]) -> bytes:
    """Return the arrays as safetensors.

    Args:
        arrays: by name.
        words: `title` and `source` of the weights, and `classes` as a list in JSON; each may be left out.
    """
    data = bytes(save({name: np.ascontiguousarray(each) for name, each in arrays.items()}, dict(words)))
    return _in_order(data)


def _in_order(data: bytes) -> bytes:
    """Return the same file with its words in the order of their names: the library writes them in another one each time."""
    end = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:end])
    head["__metadata__"] = dict(sorted(head.get("__metadata__", {}).items()))
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[end:]


def arrays_of(data: bytes) -> dict[str, Array]:
    """Return the weights of a file, by name; bfloat16 in 32 bits.

    Whole numbers next to them are buffers (counters, indices) and left out.

    Raises:
        ProblemError: it is neither of both formats, holds weights that are no array of finite numbers, or unpacks to more than is
            read.
    """
    return _told_apart(data)[0]


def _told_apart(data: bytes) -> tuple[dict[str, Array], list[str]]:
    """Return the weights of a file, and the names of its buffers."""
    held = arrays_of_npz(data, "file", _ACCEPTED, MAX_UNPACKED_BYTES) if _is_npz(data) else _from_safetensors(data)
    if not 1 <= len(held) <= MOST_TENSORS:
        raise ProblemError("file", f"{counted(len(held))} tensors", f"1 to {counted(MOST_TENSORS)}")
    buffers = [name for name, array in held.items() if _is_buffer(name, array)]
    found = {name: array for name, array in held.items() if name not in set(buffers)}
    for name, array in (found or held).items():
        if str(array.dtype) not in _TYPES.values():
            raise ProblemError(f"file.{name}", str(array.dtype), _NUMBERS)
        if not np.isfinite(array).all():
            wrong = int(array.size - np.isfinite(array).sum())
            raise ProblemError(f"file.{name}", f"{counted(wrong)} values that are no finite numbers", "finite numbers")
        if (largest := float(np.abs(array).max(initial=0.0))) > _LARGEST:  # networks compute in 32 bits
            raise ProblemError(f"file.{name}", f"a value of {largest:g}", f"values up to {_LARGEST:g}")
    return found, buffers


def _is_buffer(name: str, array: npt.NDArray[Any]) -> bool:
    """Return whether an array is no weight: whole numbers, except a marked matrix of a quantised network."""
    quantised = array.ndim > 1 and "weight" in name.rpartition(".")[2]
    return array.dtype.kind in "iub" and not quantised


def read_weights(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """Return the document of a file of weights, whose numbers stay in the file.

    Args:
        data: the file.
        name: name in messages.
        options: `name`, the title of the weights; that in the file, or the file's name, by default.

    Raises:
        ProblemError: as `arrays_of`.
    """
    (arrays, buffers), words = _told_apart(data), _words(data)
    title = str((options or {}).get("name") or words.get("title") or PurePath(name).stem)[:200] or "Weights"
    content: dict[str, Any] = {
        "schema": NETWORK_WEIGHTS_SCHEMA,
        "slug": slug_of(title, "weights"),
        "title": title,
        "summary": "",
        "source": str(words.get("source") or f"file {name}")[:WORDS],
        "file": {"sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data)},
        "tensors": [{"name": each, "shape": list(array.shape)} for each, array in arrays.items()],
    }
    if classes := _classes(words):
        content["classes"] = classes
    values = counted(sum(each.size for each in arrays.values()))
    kind = "NPZ" if _is_npz(data) else "safetensors"
    notes = [f"{counted(len(arrays))} tensors of {values} numbers."]
    if buffers:
        notes.append(f"Buffers of whole numbers are no weights and are left out: {first_names(buffers)}.")
    return ReadDocument(content, {}, {"format": kind, "notes": notes})


def as_single(arrays: Mapping[str, Array]) -> dict[str, npt.NDArray[np.float32]]:
    """Return the arrays as float32."""
    return {name: np.asarray(each, dtype=np.float32) for name, each in arrays.items()}


def _is_npz(data: bytes) -> bool:
    return data.startswith((SIGNATURE, NPY_SIGNATURE))


def _from_safetensors(data: bytes) -> dict[str, npt.NDArray[Any]]:
    try:
        tensors = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise ProblemError("file", str(error)[:200], _ACCEPTED) from error
    return {name: _tensor(name, held) for name, held in tensors}


def _tensor(name: str, held: Mapping[str, Any]) -> npt.NDArray[Any]:
    """Return an array; bfloat16 is the upper half of 32 bits."""
    kind = held["dtype"]
    if kind == "BF16":
        bits = np.frombuffer(held["data"], dtype="<u2").astype(np.uint32) << np.uint32(16)
        return bits.view(np.float32).reshape(held["shape"])
    if kind not in _TYPES and kind not in _WHOLE:
        raise ProblemError(f"file.{name}", kind, _NUMBERS)
    return np.frombuffer(held["data"], dtype=(_TYPES | _WHOLE)[kind]).reshape(held["shape"])


def _words(data: bytes) -> dict[str, str]:
    """Return the metadata of a .safetensors file; empty for an .npz file."""
    if _is_npz(data):
        return {}
    head = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return {name: str(text) for name, text in (head.get("__metadata__") or {}).items()}


def _classes(words: Mapping[str, str]) -> list[str]:
    try:
        found = json.loads(words.get("classes", "[]"))
    except json.JSONDecodeError:
        return []
    return found if isinstance(found, list) and all(isinstance(each, str) for each in found) else []
