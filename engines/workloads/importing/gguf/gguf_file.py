"""Bytes of a GGUF file to its metadata and the infos of its tensors, with every length checked. Weights are never read.

Layout and block formats: docs/gguf.md and gguf-py/gguf/constants.py of ggml and llama.cpp (MIT).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from hardware.bits import BITS_PER_BYTE

IDENTIFIER = b"GGUF"
MAX_HEADER_BYTES = 64 * 2**20  # a vocabulary of 256,000 words with its merges takes about 15 MB
_VERSIONS = (2, 3)
_MOST_VALUES, _MOST_TENSORS, _MOST_TEXT = 10_000, 20_000, 65_535
_MOST_ELEMENTS = 2_000_000  # of all lists that have to be walked
_MOST_LISTED = 1_000  # elements of a list that is kept
_MOST_WEIGHTS, _MOST_DIMENSIONS, _MOST_DEPTH = 10**13, 4, 4
_TEXT, _LIST, _FLAG = 8, 9, 7
_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", _FLAG: "<B", 10: "<Q", 11: "<q", 12: "<d"}
# Number of a type -> its name, elements of a block, and bytes of a block with scales.
FORMATS: Mapping[int, tuple[str, int, int]] = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22), 7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 36), 10: ("Q2_K", 256, 84), 11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210), 15: ("Q8_K", 256, 292), 16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74),
    18: ("IQ3_XXS", 256, 98), 19: ("IQ1_S", 256, 50), 20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82),
    23: ("IQ4_XS", 256, 136), 24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8), 28: ("F64", 1, 8),
    29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54), 35: ("TQ2_0", 256, 66), 39: ("MXFP4", 32, 17),
}  # fmt: skip


@dataclass(frozen=True)
class GgufTensor:
    """A tensor of the file.

    Attributes:
        shape: its dimensions, the one that lies together in memory first.
        format: name of its block format.
        bits: bits of an element, with its share of scales.
    """

    shape: tuple[int, ...]
    format: str
    bits: float

    @property
    def elements(self) -> int:
        """Its elements."""
        return prod(self.shape)


@dataclass(frozen=True)
class GgufHeader:
    """The part of a file before the weights.

    Attributes:
        values: key -> number, text, flag or list of up to 1,000 of them; longer lists are None.
        tensors: name -> tensor.
    """

    values: Mapping[str, Any]
    tensors: Mapping[str, GgufTensor]


def parse_gguf(data: bytes, name: str) -> GgufHeader:
    """Return the header of a file.

    Args:
        data: the file, or as much of its beginning as holds the header.
        name: name of the file.

    Raises:
        ProblemError: the header is damaged or ends early, is of another version, or passes a limit.
    """
    if data[:4] != IDENTIFIER:
        raise _damaged(name, f"A GGUF file begins with the letters {IDENTIFIER.decode()}")
    cursor = _Cursor(data, name)
    version = cursor.number("<I")
    if version not in _VERSIONS:
        raise _damaged(name, f"It is of version {version}; versions 2 and 3 are read, with the lowest byte first")
    tensor_count, value_count = (
        cursor.count(what, most) for what, most in (("tensor", _MOST_TENSORS), ("value", _MOST_VALUES))
    )
    values: dict[str, Any] = {}
    for _ in range(value_count):
        key = cursor.text()
        values[key] = cursor.value(cursor.number("<I"))
    tensors: dict[str, GgufTensor] = {}
    for _ in range(tensor_count):
        key = cursor.text()
        if key in tensors:
            raise _damaged(name, f"Two of its tensors are called {key}")
        tensors[key] = _tensor(cursor, key)
    return GgufHeader(values, tensors)


def _tensor(cursor: _Cursor, key: str) -> GgufTensor:
    count = cursor.number("<I")
    if not 1 <= count <= _MOST_DIMENSIONS:
        raise _damaged(
            cursor.name, f"The tensor {key} has {many(count, 'dimension')}; 1 to {_MOST_DIMENSIONS} are read"
        )
    shape = tuple(cursor.number("<Q") for _ in range(count))
    kind, _ = cursor.number("<I"), cursor.number("<Q")  # place of its weights
    if not 1 <= prod(shape) <= _MOST_WEIGHTS:
        raise _damaged(
            cursor.name, f"The tensor {key} has {prod(shape):.3g} elements; 1 to {_MOST_WEIGHTS:.0e} are read"
        )
    if kind not in FORMATS:
        known = ", ".join(name for name, *_ in FORMATS.values())
        raise ProblemError("file", f"{key} of type {kind}", f"a GGUF file with tensors of the types {known}")
    name, elements, size = FORMATS[kind]
    if shape[0] % elements:
        raise _damaged(cursor.name, f"The tensor {key} has rows of {shape[0]}, and {name} has blocks of {elements}")
    return GgufTensor(shape, name, size * BITS_PER_BYTE / elements)


class _Cursor:
    """A place in the file that moves on with everything that is read."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name, self.place, self._walked = data, name, len(IDENTIFIER), 0

    def number(self, form: str) -> Any:
        """Return the next number."""
        before = self._move(struct.calcsize(form))
        return struct.unpack_from(form, self.data, before)[0]

    def count(self, what: str, most: int) -> int:
        """Return a count of at most `most`."""
        found: int = self.number("<Q")
        if found > most:
            raise _damaged(self.name, f"It states {counted(found)} {what}s; at most {counted(most)} are read")
        return found

    def text(self) -> str:
        """Return the next short text."""
        size = self.number("<Q")
        before = self._move(size)
        return self.data[before : before + min(size, _MOST_TEXT)].decode("utf-8", "replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        """Return the next value of metadata; None for a long list."""
        if kind == _TEXT:
            return self.text()
        if kind == _LIST:
            return self._list(depth + 1)
        if kind not in _NUMBERS:
            raise _damaged(self.name, f"A value of its metadata has type {kind}, which no version has")
        found = self.number(_NUMBERS[kind])
        return bool(found) if kind == _FLAG else found

    def _list(self, depth: int) -> list[Any] | None:
        kind, size = self.number("<I"), self.number("<Q")
        if depth > _MOST_DEPTH:
            raise _damaged(self.name, f"Lists of its metadata lie more than {_MOST_DEPTH} levels deep")
        if kind in _NUMBERS and size > _MOST_LISTED:
            self._move(size * struct.calcsize(_NUMBERS[kind]))
            return None
        self._walked += size
        if self._walked > _MOST_ELEMENTS:
            raise _damaged(self.name, f"Lists of its metadata state more than {counted(_MOST_ELEMENTS)} elements")
        if kind == _TEXT and size > _MOST_LISTED:
            self._skip_texts(size)
            return None
        found = [self.value(kind, depth) for _ in range(size)]
        return found if size <= _MOST_LISTED else None

    def _skip_texts(self, count: int) -> None:
        """Move on behind the words of a vocabulary."""
        read, place, end = struct.Struct("<Q").unpack_from, self.place, len(self.data) - 8
        for _ in range(count):
            if place > end:
                place = len(self.data) + 1
                break
            place += 8 + read(self.data, place)[0]
        self._move(place - self.place)

    def _move(self, size: int) -> int:
        """Move on by `size` bytes; return the place before."""
        before = self.place
        if before + size > len(self.data):
            long = len(self.data) >= MAX_HEADER_BYTES
            reason = (
                f"its header is longer than {counted(MAX_HEADER_BYTES)} bytes" if long else "it ends within its header"
            )
            raise _damaged(self.name, f"A length points behind byte {counted(len(self.data))}: {reason}, or is damaged")
        self.place = before + size
        return before


def _damaged(name: str, reason: str) -> ProblemError:
    return ProblemError("file", name, "a whole GGUF file", reason=f"{reason}.")
