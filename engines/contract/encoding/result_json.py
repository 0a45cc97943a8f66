"""Results as JSON and back, without loss: dtype and shape of arrays, NaN and infinity, tuples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

import numpy as np

from engines.contract.results import RESULT_TYPES, Result

# Fields added later: left out where they say nothing, so that what was stored before them is written as it reads.
LATER_FIELDS = ("role", "belongs_to", "row_units", "packets", "routes", "streams", "shown_s", "links")


def to_json(value: Any) -> Any:
    """Return a result (or a part of one) as JSON values. Arrays keep dtype and shape; NaN and infinity become strings."""
    if is_dataclass(value) and not isinstance(value, type):
        held = {f.name: getattr(value, f.name) for f in fields(value)}
        said = {name: to_json(one) for name, one in held.items() if name not in LATER_FIELDS or one}
        return {"type": type(value).__name__} | said
    if isinstance(value, np.ndarray):
        flat = value.ravel().tolist()
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            flat = [_number_to_json(x) for x in flat]
        return {"array": flat, "dtype": str(value.dtype), "shape": list(value.shape)}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return _number_to_json(value) if isinstance(value, float) else value


def from_json(data: Any) -> Any:
    """Return the value that `to_json` wrote; lists become tuples.

    Raises:
        ValueError: a type name belongs to no class of results or their parts.
    """
    if isinstance(data, dict) and "array" in data:
        values = data["array"]
        if data["dtype"].startswith("float"):
            values = [_number_from_json(x) for x in values]
        return np.array(values, dtype=data["dtype"]).reshape(data["shape"])
    if isinstance(data, dict) and "type" in data:
        known = result_classes()
        if data["type"] not in known:
            raise ValueError(f"A result's type must be one of {sorted(known)}. Got {data['type']!r} instead.")
        return known[data["type"]](**{key: from_json(value) for key, value in data.items() if key != "type"})
    if isinstance(data, dict) and "number" in data:
        return _number_from_json(data)
    if isinstance(data, list):
        return tuple(from_json(item) for item in data)
    return data


@cache
def result_classes() -> Mapping[str, type]:
    """Return class name -> class, for all results and their parts."""
    return {part.__name__: part for cls in RESULT_TYPES.values() for part in _with_parts(cls)}


def _with_parts(hint: Any) -> Iterator[type]:
    """Yield the dataclasses that a type names, and those that their fields hold."""
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    inner = get_type_hints(hint).values() if is_dataclass(hint) else get_args(hint)
    for each in inner:
        yield from _with_parts(each)


def result_to_bytes(result: Result) -> bytes:
    """Return a result as compact JSON text in UTF-8."""
    return json.dumps(to_json(result), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def result_from_bytes(data: bytes) -> Result:
    """Return the result that `result_to_bytes` wrote.

    Raises:
        ValueError: `data` is not JSON, or not a result.
    """
    value = from_json(json.loads(data))
    if not isinstance(value, Result):
        raise ValueError(f"The text must hold a result. Got {type(value).__name__} instead.")
    return value


_SPECIAL = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def _number_to_json(value: float) -> Any:
    return value if np.isfinite(value) else {"number": str(float(value))}


def _number_from_json(value: Any) -> Any:
    return _SPECIAL[value["number"]] if isinstance(value, dict) else value


def equal(left: Any, right: Any) -> bool:
    """Return whether two results (or parts) hold the same values; NaN equals NaN."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return (
            isinstance(left, np.ndarray)
            and isinstance(right, np.ndarray)
            and left.dtype == right.dtype
            and np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
        )
    if is_dataclass(left) and is_dataclass(right):
        return type(left) is type(right) and all(
            equal(getattr(left, f.name), getattr(right, f.name)) for f in fields(left)
        )
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, float) and isinstance(right, float) and left != left:
        return right != right
    return bool(left == right)
