"""Bytes of a LiteRT file to its tensors and operators, with every offset checked.

A file is one flatbuffer (https://flatbuffers.dev/internals/) of the schema that LiteRT publishes (tflite/schema/schema.fbs, Apache
2.0): `SLOTS` are the places of its fields. Weights are never read: whether a tensor has any follows from its buffer's length.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.workloads.importing.limits import MAX_DIMENSIONS, MAX_FILE_BYTES, MAX_NAME, MAX_NODES, MAX_SIZE
from engines.workloads.importing.litert.litert_codes import OPERATORS

IDENTIFIER = b"TFL3"
_MOST_TENSORS = 10 * MAX_NODES
_MOST_INPUTS = 10_000
_BLOCKWISE = 2  # of the union `QuantizationDetails`
# Place of a field among those of its table, from 0.
SLOTS = {
    "model": {"operator_codes": 1, "subgraphs": 2, "description": 3, "buffers": 4},
    "code": {"deprecated": 0, "custom": 1, "builtin": 3},
    "subgraph": {"tensors": 0, "inputs": 1, "outputs": 2, "operators": 3},
    "tensor": {"shape": 0, "type": 1, "buffer": 2, "name": 3, "quantization": 4, "signature": 7},
    "quantization": {"scale": 2, "zero_point": 3, "details_type": 4, "details": 5},
    "blockwise": {"scales": 0, "zero_points": 1, "block_size": 2},
    "buffer": {"data": 0, "offset": 1, "size": 2},
    "operator": {"code": 0, "inputs": 1, "outputs": 2, "options": 4},
}  # fmt: skip


@dataclass(frozen=True)
class LiteRtTensor:
    """A tensor of the file.

    Attributes:
        shape: dimensions of the tensor; empty for a scalar.
        open: whether some dimension is left open: `shape` holds what the file was converted with.
        type: number of its element type in the schema.
        stored: whether the file holds its elements.
        block: elements that share a scale; 0 for a scale per channel or tensor, or none.
        zero_points: whether blocks have zero points.
    """

    name: str
    shape: tuple[int, ...]
    open: bool
    type: int
    stored: bool
    block: int
    zero_points: bool


@dataclass(frozen=True)
class LiteRtOperator:
    """An operator of the file.

    Attributes:
        code: its name in the schema, or "CUSTOM" with the custom name after a dot.
        inputs, outputs: numbers of tensors; -1 for an input that is left out.
        option: (place of a field, "int8", "int32" or "bool") -> its value in the operator's options; 0 where it is not there.
    """

    code: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    option: Callable[[int, str], int]


@dataclass(frozen=True)
class LiteRtGraph:
    """The main graph of a file.

    Attributes:
        graphs: in the file.
        inputs, outputs: numbers of tensors.
    """

    tensors: tuple[LiteRtTensor, ...]
    operators: tuple[LiteRtOperator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    graphs: int
    description: str


def parse_litert(data: bytes, name: str) -> LiteRtGraph:
    """Return the main graph of a file.

    Raises:
        ProblemError: the file is damaged, is no LiteRT file, or passes a limit; or the reader of flatbuffers is not installed.
    """
    if len(data) > MAX_FILE_BYTES:
        raise ProblemError("file", f"{len(data)} bytes", f"a file of at most {counted(MAX_FILE_BYTES)} bytes")
    if data[4:8] != IDENTIFIER:
        reason = f"A LiteRT file has {IDENTIFIER.decode()} as its fifth to eighth letter."
        raise ProblemError("file", name, "a whole LiteRT file", reason=reason)
    with _whole(name):
        return _graph(_root(data), name)


@contextmanager
def _whole(name: str) -> Iterator[None]:
    """Refuse a file whose offsets or texts are none, as the reader of flatbuffers meets them."""
    try:
        yield
    except (struct.error, IndexError, ValueError, OverflowError, TypeError) as error:
        raise ProblemError("file", name, "a whole LiteRT file", reason="The file is cut off or damaged.") from error


class _Table:
    """One table of the flatbuffer; fields are read by their place. Reading outside of the bytes raises IndexError."""

    def __init__(self, data: bytes, place: int, table: Any, flags: Any) -> None:
        if not 4 <= place < len(data) - 3:
            raise IndexError(place)
        self._data, self._table, self._flags = data, table(data, place), flags

    def _offset(self, slot: int) -> int:
        return int(self._table.Offset(4 + 2 * slot))

    def number(self, slot: int, kind: str = "int32", default: int = 0) -> int:
        """Return a number of a kind ("int8", "int32", "uint32", "uint64", "bool")."""
        offset = self._offset(slot)
        flag = getattr(self._flags, f"{kind.capitalize()}Flags")
        return int(self._table.Get(flag, offset + self._table.Pos)) if offset else default

    def text(self, slot: int) -> str:
        """Return a text, cut and with its control characters replaced."""
        offset = self._offset(slot)
        words = self._table.String(offset + self._table.Pos).decode("utf-8", "replace") if offset else ""
        return "".join(each if each.isprintable() else " " for each in words[:MAX_NAME]).strip()

    def length(self, slot: int) -> int:
        """Return the number of elements of a list."""
        offset = self._offset(slot)
        return int(self._table.VectorLen(offset)) if offset else 0

    def numbers(self, slot: int, most: int) -> tuple[int, ...]:
        """Return a list of at most so many whole numbers of 32 bits."""
        count = _checked(self.length(slot), most)
        if not count:
            return ()
        start = self._table.Vector(self._offset(slot))
        if start < 0 or start + 4 * count > len(self._data):
            raise IndexError(start)
        return struct.unpack_from(f"<{count}i", self._data, start)

    def tables(self, slot: int, most: int) -> list[_Table]:
        """Return a list of at most so many tables."""
        count = _checked(self.length(slot), most)
        start = self._table.Vector(self._offset(slot)) if count else 0
        return [self._at(start + 4 * number) for number in range(count)]

    def inner(self, slot: int) -> _Table | None:
        """Return a table that the field holds; None where there is none."""
        offset = self._offset(slot)
        return self._at(offset + self._table.Pos) if offset else None

    def _at(self, place: int) -> _Table:
        return _Table(self._data, int(self._table.Indirect(place)), type(self._table), self._flags)


def _checked(count: int, most: int) -> int:
    if not 0 <= count <= most:
        raise IndexError(count)
    return count


def _root(data: bytes) -> _Table:
    try:
        from flatbuffers import number_types, table
    except ImportError as error:
        ways = ["Install it with pip install 'flatbuffers~=25.12'.", "Convert the network to ONNX."]
        reason = "The reader of LiteRT files is not installed."
        raise ProblemError("file", "a LiteRT file", "an ONNX file", reason=reason, remedies=ways) from error
    return _Table(data, struct.unpack_from("<I", data)[0], table.Table, number_types)


def _graph(model: _Table, name: str) -> LiteRtGraph:
    slots = SLOTS["model"]
    codes = [_code(each) for each in model.tables(slots["operator_codes"], MAX_NODES)]
    stored = [_is_stored(each) for each in model.tables(slots["buffers"], _MOST_TENSORS)]
    graphs = model.tables(slots["subgraphs"], MAX_NODES)
    main, places = graphs[0], SLOTS["subgraph"]
    tensors = tuple(_tensor(each, stored) for each in main.tables(places["tensors"], _MOST_TENSORS))
    operators = tuple(
        _operator(each, codes, len(tensors), name) for each in main.tables(places["operators"], MAX_NODES)
    )
    inputs, outputs = (
        _existing(main.numbers(places[end], _MOST_INPUTS), len(tensors)) for end in ("inputs", "outputs")
    )
    return LiteRtGraph(tensors, operators, inputs, outputs, len(graphs), model.text(slots["description"]))


def _existing(numbers: tuple[int, ...], count: int, least: int = 0) -> tuple[int, ...]:
    if any(not least <= number < count for number in numbers):
        raise IndexError(numbers)
    return numbers


def _code(table: _Table) -> str:
    slots = SLOTS["code"]
    # Files before 2020 have the older field alone, which holds numbers up to 127.
    number = max(table.number(slots["builtin"]), table.number(slots["deprecated"], "int8"))
    name = OPERATORS.get(number, f"operator {number}")
    return f"CUSTOM.{table.text(slots['custom'])}" if name == "CUSTOM" else name


def _is_stored(buffer: _Table) -> bool:
    slots = SLOTS["buffer"]
    return buffer.length(slots["data"]) > 0 or buffer.number(slots["size"], "uint64") > 1


def _tensor(table: _Table, stored: list[bool]) -> LiteRtTensor:
    slots = SLOTS["tensor"]
    shape = table.numbers(slots["shape"], MAX_DIMENSIONS)
    if any(not 0 <= size <= MAX_SIZE for size in shape):
        raise IndexError(shape)
    block, zero_points = _block(table.inner(slots["quantization"]))
    return LiteRtTensor(
        table.text(slots["name"]),
        shape,
        any(size < 0 for size in table.numbers(slots["signature"], MAX_DIMENSIONS)),
        table.number(slots["type"], "int8"),
        stored[table.number(slots["buffer"], "uint32")] if stored else False,
        block,
        zero_points,
    )


def _block(quantization: _Table | None) -> tuple[int, bool]:
    """Return the number of elements per scale, and whether they share a zero point; 0 without blocks."""
    slots = SLOTS["quantization"]
    if quantization is None or quantization.number(slots["details_type"], "uint8") != _BLOCKWISE:
        return 0, False
    details = quantization.inner(slots["details"])
    if details is None:
        return 0, False
    places = SLOTS["blockwise"]
    return max(details.number(places["block_size"]), 0), details.number(places["zero_points"], default=-1) >= 0


def _operator(table: _Table, codes: list[str], tensors: int, name: str) -> LiteRtOperator:
    slots = SLOTS["operator"]
    options = table.inner(slots["options"])

    def option(slot: int, kind: str) -> int:
        with _whole(name):
            return options.number(slot, kind) if options else 0

    return LiteRtOperator(
        codes[table.number(slots["code"], "uint32")],
        _existing(table.numbers(slots["inputs"], _MOST_INPUTS), tensors, -1),
        _existing(table.numbers(slots["outputs"], _MOST_INPUTS), tensors),
        option,
    )
