"""The memory of the arrays within a value, by which caches are bounded."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

_MOST_LOOKED_AT = 100_000
_WITHOUT = (str, bytes, int, float, complex, type, FunctionType, ModuleType)


def held_bytes(value: Any) -> int:
    """Return the bytes of all arrays within objects, mappings, lists, tuples and sets; 0 without arrays.

    A view counts with the whole array that it keeps alive; a shared array counts once. The number of parts that are visited is
    bounded, so that a call takes at most some tenths of a second.
    """
    seen: set[int] = set()
    sizes: dict[int, int] = {}
    left = [value]
    while left and len(seen) < _MOST_LOOKED_AT:
        each = left.pop()
        if id(each) in seen or isinstance(each, _WITHOUT):
            continue
        seen.add(id(each))
        if isinstance(each, np.ndarray):
            owner = _owner(each)
            sizes[id(owner)] = owner.nbytes
        elif isinstance(each, Mapping):
            left += each.values()
        elif isinstance(each, list | tuple | set | frozenset):
            left += each
        else:
            left += getattr(each, "__dict__", {}).values()
    return sum(sizes.values())


def _owner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
