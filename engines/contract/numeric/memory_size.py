"""How many bytes the arrays of a value take, for caches that are bounded by them."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

_MOST_LOOKED_AT = 100_000
_WITHOUT = (str, bytes, int, float, complex, type, FunctionType, ModuleType)


def held_bytes(value: Any) -> int:
    """Return the bytes of all arrays within objects, mappings, lists, tuples and sets; 0 where there are none.

    A view counts with all of the array that it keeps alive, and an array that several share once. Only so many parts are looked at
    that it takes some tenths of a second at most.
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
