"""LiteRT files for tests, written with the builder of flatbuffers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import flatbuffers

from engines.workloads.importing.litert.litert_codes import OPERATORS
from engines.workloads.importing.litert.litert_file import IDENTIFIER, SLOTS

FLOAT32, FLOAT16, INT32, UINT8, INT8, INT4 = 0, 1, 2, 3, 9, 17
CONV, DEPTHWISE, CONNECTED = 1, 2, 8  # of the union `BuiltinOptions`
_NUMBERS = {name: number for number, name in OPERATORS.items()}

Tensor = Mapping[str, Any]
Operator = Mapping[str, Any]


def tensor(name: str, *shape: int, kind: int = FLOAT32, data: bool = False, block: int = 0) -> Tensor:
    """A tensor; `data` says whether the file holds its elements, `block` how many share a scale."""
    return {"name": name, "shape": shape, "kind": kind, "data": data, "block": block}


def operator(code: str, inputs: Sequence[int], outputs: Sequence[int], **options: int) -> Operator:
    """An operator; options are `s<slot>` for 32 bits and `b<slot>` for 8 bits, in the order of its own table."""
    return {"code": code, "inputs": inputs, "outputs": outputs, "options": options}


def file(
    tensors: Sequence[Tensor], operators: Sequence[Operator], inputs: Sequence[int], outputs: Sequence[int]
) -> bytes:
    """A file with one graph."""
    made = flatbuffers.Builder(1024)
    codes = list(dict.fromkeys(each["code"] for each in operators))
    buffers = [_table(made, {})]
    for each in tensors:
        buffers += [_table(made, {0: ("offset", made.CreateByteVector(b"\0" * 16))})] if each["data"] else []
    stored = 0
    places = []
    for each in tensors:
        stored += each["data"]
        places.append(_tensor(made, each, stored if each["data"] else 0))
    slots = SLOTS["subgraph"]
    graph = _table(made, {
        slots["tensors"]: ("offset", _offsets(made, places)), slots["inputs"]: ("offset", _numbers(made, inputs)),
        slots["outputs"]: ("offset", _numbers(made, outputs)),
        slots["operators"]: ("offset", _offsets(made, [_operator(made, each, codes) for each in operators])),
    })  # fmt: skip
    slots = SLOTS["model"]
    written = []
    for code in codes:
        older, newer = ("int8", min(_NUMBERS[code], 127)), ("int32", _NUMBERS[code])
        written.append(_table(made, {SLOTS["code"]["deprecated"]: older, SLOTS["code"]["builtin"]: newer}))
    model = _table(made, {
        0: ("uint32", 3), slots["operator_codes"]: ("offset", _offsets(made, written)),
        slots["subgraphs"]: ("offset", _offsets(made, [graph])), slots["description"]: ("offset", made.CreateString("a test")),
        slots["buffers"]: ("offset", _offsets(made, buffers)),
    })  # fmt: skip
    made.Finish(model, file_identifier=IDENTIFIER)
    return bytes(made.Output())


def _tensor(made: Any, each: Tensor, buffer: int) -> int:
    slots, fields = SLOTS["tensor"], {}
    if each["block"]:
        places = SLOTS["blockwise"]
        size = ("int32", each["block"])
        details = _table(
            made, {places["scales"]: ("int32", 0), places["zero_points"]: ("int32", -1), places["block_size"]: size}
        )
        places = SLOTS["quantization"]
        found = _table(made, {places["details_type"]: ("uint8", 2), places["details"]: ("offset", details)})
        fields[slots["quantization"]] = ("offset", found)
    return _table(made, {
        slots["shape"]: ("offset", _numbers(made, each["shape"])), slots["type"]: ("int8", each["kind"]),
        slots["buffer"]: ("uint32", buffer), slots["name"]: ("offset", made.CreateString(each["name"])), **fields,
    })  # fmt: skip


def _operator(made: Any, each: Operator, codes: Sequence[str]) -> int:
    slots, options = SLOTS["operator"], each["options"]
    fields = {
        slots["code"]: ("uint32", codes.index(each["code"])), slots["inputs"]: ("offset", _numbers(made, each["inputs"])),
        slots["outputs"]: ("offset", _numbers(made, each["outputs"])),
    }  # fmt: skip
    if options:
        own = {int(name[1:]): ("int8" if name[0] == "b" else "int32", value) for name, value in options.items()}
        kind = {"CONV_2D": CONV, "DEPTHWISE_CONV_2D": DEPTHWISE, "FULLY_CONNECTED": CONNECTED}.get(
            each["code"], CONNECTED
        )
        fields |= {slots["options"] - 1: ("uint8", kind), slots["options"]: ("offset", _table(made, own))}
    return _table(made, fields)


def _table(made: Any, fields: Mapping[int, tuple[str, int]]) -> int:
    made.StartObject(12)
    for slot, (kind, value) in fields.items():
        if kind == "offset":
            made.PrependUOffsetTRelativeSlot(slot, value, 0)
        else:
            getattr(made, f"Prepend{kind.capitalize()}Slot")(slot, value, 0)
    return int(made.EndObject())


def _numbers(made: Any, numbers: Sequence[int]) -> int:
    made.StartVector(4, len(numbers), 4)
    for number in reversed(numbers):
        made.PrependInt32(number)
    return int(made.EndVector())


def _offsets(made: Any, places: Sequence[int]) -> int:
    made.StartVector(4, len(places), 4)
    for place in reversed(places):
        made.PrependUOffsetTRelative(place)
    return int(made.EndVector())
