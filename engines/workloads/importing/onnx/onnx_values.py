"""Values of small tensors that follow from sizes and constants alone: by them other tensors are shaped.

Operators are computed by ONNX's own reference implementation, and only those that move, compare and count: none multiplies
matrices, draws random numbers or reads anything. What comes out is small, or is not computed.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference.ops import load_op

Value = np.ndarray[Any, Any]
Dimensions = Sequence[int | None]
# A causal mask or the places of an image's windows; larger tables shape nothing.
MAX_ELEMENTS = 65_536

_NAMES = (
    "Abs Add And ArgMax ArgMin Cast CastLike Ceil Clip Concat ConstantOfShape CumSum Div Equal Expand EyeLike "
    "Flatten Floor Gather GatherElements GatherND Greater GreaterOrEqual Identity Less LessOrEqual Max Min Mod Mul "
    "Neg NonZero Not OneHot Or Pad Pow Range Reciprocal ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Reshape "
    "Round ScatterElements ScatterND Sign Slice Split Sqrt Squeeze Sub Sum Tile TopK Transpose Trilu Unsqueeze "
    "Where Xor"
)
_OPERATORS = frozenset(_NAMES.split())
# Their size follows from values; it is no larger than the input's, times its dimensions.
_SIZED_BY_VALUES = ("NonZero",)


def constant_value(node: onnx.NodeProto) -> Value | None:
    """Return the value of a `Constant`; None for text, sparse and large tensors."""
    for each in node.attribute:
        if each.name == "value":
            return value_of(each.t)
        if each.name in ("value_int", "value_ints"):
            return np.array(onnx.helper.get_attribute_value(each), np.int64)
        if each.name in ("value_float", "value_floats"):
            return np.array(onnx.helper.get_attribute_value(each), np.float32)
    return None


def value_of(tensor: onnx.TensorProto) -> Value | None:
    """Return the values of a tensor stored in the file; None for a large tensor, text, or data of the wrong size."""
    outside = tensor.data_location == onnx.TensorProto.EXTERNAL
    if outside or prod(tensor.dims) > MAX_ELEMENTS or any(size < 0 for size in tensor.dims):
        return None
    try:
        return _numbers(numpy_helper.to_array(tensor))
    except Exception:  # noqa: BLE001  whatever the library meets in damaged data
        return None


def computed(
    node: onnx.NodeProto, inputs: Sequence[Value | None], outputs: Sequence[Dimensions | None], opset: int
) -> tuple[Value, ...] | None:
    """Return the outputs of a standard operator, all of whose inputs are known.

    Args:
        node: the operator.
        inputs: in its order; None for one that is left out.
        outputs: their sizes, as far as they are known before.
        opset: version of the standard operators.

    Returns:
        None where they are not computed: another operator, large outputs, or inputs that it does not take.
    """
    if node.op_type not in _OPERATORS or not _small(node, outputs):
        return None
    settings: dict[str, Any] = {"log": lambda *_: None, "opsets": {"": opset}, "new_ops": None, "verbose": 0}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = load_op("", node.op_type, opset)(node, settings).run(*inputs)
        values = tuple(_numbers(np.asarray(each)) for each in found)
    except Exception:  # noqa: BLE001  inputs that the operator does not take, in as many ways as there are operators
        return None
    known = tuple(each for each in values if each is not None)
    return known if len(known) == len(values) == len(node.output) else None


def _small(node: onnx.NodeProto, outputs: Sequence[Dimensions | None]) -> bool:
    if node.op_type in _SIZED_BY_VALUES:
        return True
    sizes = [size for shape in outputs for size in (shape if shape is not None else (None,))]
    return all(size is not None for size in sizes) and all(
        prod(size or 0 for size in shape or ()) <= MAX_ELEMENTS for shape in outputs
    )


def _numbers(value: Value) -> Value | None:
    return value if value.dtype.kind in "biuf" and value.size <= MAX_ELEMENTS else None
