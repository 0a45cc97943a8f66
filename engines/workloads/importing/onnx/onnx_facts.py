"""Facts on a tensor of an ONNX model, alone or in a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
import onnx
from onnx import helper, numpy_helper

from engines.workloads.importing.onnx.onnx_values import Dimensions, Value

# Values that inference is shown: sizes, axes, repeats, scales.
_SHOWN_ELEMENTS = 1024
_WHOLE = (onnx.TensorProto.BOOL, onnx.TensorProto.INT32, onnx.TensorProto.INT64)
_UNKNOWN = onnx.TypeProto(tensor_type=onnx.TypeProto.Tensor(elem_type=onnx.TensorProto.FLOAT))


@dataclass(frozen=True)
class OnnxFact:
    """A tensor, or a sequence of tensors.

    Attributes:
        name: unique in the whole model, also where a loop's body is repeated.
        type: as inference has it; None where nothing is known.
        constant: whether it is the same for every sample.
        value: the numbers, where they are known and few.
        members: members of a sequence whose length is known.
        literal: whether it stands in the file, or follows from what does and from no size.
        weight: identity of the weight that it is or is computed from; "" for none (`engines.workloads.importing.graph.Tensor`).
    """

    name: str
    type: onnx.TypeProto | None = None
    constant: bool = False
    value: Value | None = None
    members: tuple[OnnxFact, ...] | None = None
    literal: bool = False
    weight: str = ""

    @cached_property
    def dimensions(self) -> tuple[int | None, ...] | None:
        """The sizes, None for each that is not known; None where not even their number is known."""
        return None if self.type is None else dimensions_of(self.type)

    @cached_property
    def shape(self) -> tuple[int, ...] | None:
        """The sizes; None unless all are known."""
        sizes = self.dimensions
        known = tuple(size for size in sizes or () if size is not None)
        return known if sizes is not None and len(known) == len(sizes) else None

    @property
    def whole(self) -> int | None:
        """The value, where it is known and a single whole number or truth."""
        value = self.value
        return None if value is None or value.size != 1 or value.dtype.kind not in "biu" else int(value.ravel()[0])

    @property
    def shown_type(self) -> onnx.TypeProto:
        """The type; numbers of any shape where it is not known."""
        return _UNKNOWN if self.type is None else self.type

    @property
    def is_whole_number(self) -> bool:
        """Whether it is a single whole number, or a single truth."""
        return self.element_type in _WHOLE and elements(self.dimensions) == 1

    def given(self, number: int) -> OnnxFact:
        """Return a single whole number, or truth, with the value that a person gives it."""
        value = np.full(self.shape or (), number, helper.tensor_dtype_to_np_dtype(self.element_type))
        return replace(self, constant=True, value=value)

    def shown_value(self) -> onnx.TensorProto | None:
        """Return the value for shape inference; None if it is unknown or no list of sizes."""
        if self.value is None or self.value.size > _SHOWN_ELEMENTS:
            return None
        return numpy_helper.from_array(np.ascontiguousarray(self.value).reshape(self.value.shape))

    def with_size(self, axis: int, size: int | None) -> OnnxFact:
        """Return a copy with another size along one axis and an unknown value."""
        sizes = list(self.dimensions or ())
        if not -len(sizes) <= axis < len(sizes):
            return OnnxFact(self.name, constant=self.constant, weight=self.weight)
        sizes[axis] = size
        return replace(self, type=tensor_type(self.element_type, sizes), value=None)

    @property
    def element_type(self) -> int:
        """Return the number in ONNX's enumeration; that of fractions where it is not known."""
        return int(self.shown_type.tensor_type.elem_type)


def from_value(name: str, value: Value, constant: bool = True) -> OnnxFact:
    """Return a tensor whose numbers are known."""
    element = helper.np_dtype_to_tensor_dtype(value.dtype)
    return OnnxFact(name, tensor_type(element, value.shape), constant, value)


def tensor_type(element: int, sizes: Dimensions) -> onnx.TypeProto:
    """Return the type of a tensor; None is a size that is not known."""
    found: onnx.TypeProto = helper.make_tensor_type_proto(element, list(sizes))
    return found


def dimensions_of(kind: onnx.TypeProto) -> tuple[int | None, ...] | None:
    """Return the sizes that a type tells. Sizes below zero, which some exporters write for open ones, are not known."""
    tensor = kind.tensor_type
    if not kind.HasField("tensor_type") or not tensor.HasField("shape"):
        return None
    return tuple(
        each.dim_value if each.HasField("dim_value") and each.dim_value >= 0 else None for each in tensor.shape.dim
    )


def merged(first: onnx.TypeProto | None, second: onnx.TypeProto | None) -> onnx.TypeProto | None:
    """Return the facts of both sources on a tensor; the first source wins conflicts."""
    if first is None or second is None:
        return second if first is None else first
    one, two = dimensions_of(first), dimensions_of(second)
    if two is None or (one is not None and None not in one):
        return first
    if one is None:
        return second if first.WhichOneof("value") in (None, "tensor_type") else first
    if len(one) != len(two):
        return first
    return tensor_type(first.tensor_type.elem_type, [b if a is None else a for a, b in zip(one, two, strict=True)])


def elements(sizes: Dimensions | None) -> int | None:
    """Return the number of elements; None if unknown."""
    if sizes is None or any(size is None for size in sizes):
        return None
    return prod(size for size in sizes if size is not None)


def others(shape: Sequence[int], axis: int) -> int:
    """Return the elements in all directions but one."""
    return prod(size for place, size in enumerate(shape) if place != axis)
