"""Checks of types, domains and sizes that the other modules share."""

from __future__ import annotations

import onnx

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.workloads.importing.limits import MAX_DIMENSIONS, MAX_SIZE
from engines.workloads.importing.onnx.onnx_file import printable

# Whole numbers of at most 16 bits are weights of a quantised network; indices and sizes have more.
_WEIGHTS = ("FLOAT", "DOUBLE", "BFLOAT", "INT2", "INT4", "INT8", "INT16", "UINT2", "UINT4", "UINT8", "UINT16")
_FLOATING = {
    number
    for name, number in onnx.TensorProto.DataType.items()
    if name in _WEIGHTS or name.startswith(("FLOAT", "BFLOAT"))
}


def is_standard(domain: str) -> bool:
    """Return whether operators of a domain are those of the standard."""
    return domain in ("", "ai.onnx")


def is_floating(kind: onnx.TypeProto | None) -> bool:
    """Return whether elements are fractions; so they are taken to be where nothing is known of a tensor."""
    return kind is None or not kind.HasField("tensor_type") or kind.tensor_type.elem_type in _FLOATING


def checked_shape(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes of a tensor.

    Raises:
        ProblemError: too many of them, or one out of bounds.
    """
    if len(shape) > MAX_DIMENSIONS:
        raise ProblemError("file", printable(name), f"a network with tensors of at most {MAX_DIMENSIONS} dimensions")
    for size in shape:
        if not 0 <= size <= MAX_SIZE:
            raise ProblemError(
                "file", f"{printable(name)} of {list(shape)}", f"a network with sizes from 0 to {counted(MAX_SIZE)}"
            )
    return shape
