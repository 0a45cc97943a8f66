"""Which tensors of an ONNX model are weights, and which of them are the same weight.

A weight is a tensor of fractions that stands in the file, and what is computed from one before any sample. What follows from sizes
and single numbers (masks, places, the scales of a resize) is none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import replace

import onnx

from engines.workloads.importing.identities import Identities
from engines.workloads.importing.onnx.onnx_facts import OnnxFact, elements
from engines.workloads.importing.onnx.onnx_sizes import is_floating

# All elements of their first input, in another order or type: the same weight.
_ALL_ELEMENTS = "Identity Transpose Reshape Flatten Squeeze Unsqueeze Cast CastLike QuantizeLinear DequantizeLinear"
_SAME = frozenset(_ALL_ELEMENTS.split())
# What they give follows from sizes alone, or is random.
_OF_SIZES = "Shape Size ConstantOfShape EyeLike RandomNormalLike RandomUniformLike Bernoulli"
_NO_WEIGHT = frozenset(_OF_SIZES.split())
# Numbers of inputs that say how to compute: scales of an image, scales and zero points of whole numbers, the values of a mask; mean
# and variance of a batch norm are merged into its scale and shift.
_AFFINE = (1, 2, 4, 5, 6, 7)
_ASIDE: dict[str, tuple[int, ...]] = {
    "BatchNormalization": (3, 4),
    "Resize": (1, 2, 3),
    "Upsample": (1,),
    "OneHot": (2,),
    "QuantizeLinear": (1, 2),
    "DequantizeLinear": (1, 2),
    "QLinearConv": _AFFINE,
    "QLinearMatMul": _AFFINE,
    "QLinearAdd": _AFFINE,
    "QLinearMul": _AFFINE,
    "ConvInteger": (2, 3),
    "MatMulInteger": (2, 3),
    "MatMulNBits": (2, 3, 4),
    "GatherBlockQuantized": (2, 3),
    "DynamicQuantizeMatMul": (2, 3),
    "MatMulIntegerToFloat": (2, 3, 4, 5),
    "QGemm": (1, 2, 4, 5, 7, 8),
    "QAttention": (3, 4, 6, 7),
}


# Biases of quantised operators, whole numbers of 32 bits.
_BIAS = {"QLinearConv": 8, "QGemm": 6}


def weight_of(node: onnx.NodeProto, number: int, tensor: OnnxFact) -> str:
    """Return the identity of the weight that an operator has as the input of that number; "" for none."""
    if number in _ASIDE.get(node.op_type, ()):
        return ""
    if _BIAS.get(node.op_type) == number and tensor.constant:
        return tensor.weight or tensor.name
    return tensor.weight if tensor.weight and is_floating(tensor.type) else ""


def multiplies_one_number(node: onnx.NodeProto, inputs: Sequence[OnnxFact | None]) -> bool:
    """Return whether it is a product of a weight and zeros or ones: the first step of an unrolled recurrence."""
    if node.op_type not in ("MatMul", "Gemm") or len(inputs) < 2:
        return False
    factors = [each for each in inputs[:2] if each is not None]
    return any(each.weight for each in factors) and any(not each.weight and _is_uniform(each) for each in factors)


class OnnxIdentities:
    """Identities of the weights of one model."""

    def __init__(self) -> None:
        self._computed = Identities()
        self._origins: dict[str, str] = {}
        self._loops: dict[str, str] = {}

    def place(self, prefix: str, outside: str, own: str = "") -> None:
        """Note a graph that is walked through.

        Args:
            prefix: prefix of the names in this walk through it.
            outside: prefix of the graph around it; that of the loop, for a turn.
            own: name of the graph in the one around it; "" for a turn, whose weights are those of every other turn.
        """
        self._origins[prefix] = self._origins.get(outside, outside) + own
        self._loops[prefix] = self._loops.get(outside, "") or ("" if own else outside)

    def loop(self, prefix: str) -> str:
        """Return the prefix of the outermost loop that a graph is in; "" for none."""
        return self._loops.get(prefix, "")

    def stored(self, prefix: str, name: str, kind: onnx.TypeProto) -> str:
        """Return the identity of a tensor in the file; "" for indices and truths."""
        return self._origins.get(prefix, prefix) + name if is_floating(kind) else ""

    def of_constants(
        self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], outputs: Sequence[OnnxFact], prefix: str
    ) -> list[OnnxFact]:
        """Return the results of an operator that depends on no sample, with identities."""
        if node.op_type in _NO_WEIGHT:
            return list(outputs)
        if node.op_type == "Constant":
            own = self.stored(prefix, node.output[0], outputs[0].shown_type) if outputs else ""
            return [each if _is_uniform(each) else replace(each, weight=own) for each in outputs]
        weights = [each for each in inputs if each is not None and each.weight and elements(each.dimensions) != 1]
        first = inputs[0] if inputs else None
        if node.op_type == "DequantizeLinear" and first is not None and not weights:
            weights = [first]  # a bias of 32 bits
        if not weights:
            return list(outputs)
        if node.op_type == "Identity" and first is not None and _is_uniform(first):
            # Exporters keep one of several vectors that are all ones or zeros before training; they are weights of their own.
            return [replace(each, weight=self.stored(prefix, node.output[0], each.shown_type)) for each in outputs]
        return [each if each.weight else self._with_identity(each, node, inputs, number)
                for number, each in enumerate(outputs)]  # fmt: skip

    def _with_identity(
        self, output: OnnxFact, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], number: int
    ) -> OnnxFact:
        first = inputs[0]
        if node.op_type in _SAME and first is not None:
            before, after = elements(first.dimensions), elements(output.dimensions)
            if before == after or None in (before, after):
                return replace(output, weight=first.weight or first.name)
        settings = [each.SerializeToString(deterministic=True) for each in node.attribute]
        keys = [_key(each) for each in inputs]
        operator = (node.domain, node.op_type, number, *settings)
        return replace(output, weight=self._computed.computed(operator, keys, output.name))


def _is_uniform(tensor: OnnxFact) -> bool:
    """Return whether it is known to hold one number alone, however often."""
    return tensor.value is not None and tensor.value.size > 0 and bool((tensor.value == tensor.value.flat[0]).all())


def _key(tensor: OnnxFact | None) -> Hashable:
    """Return the key by which equal constants are one."""
    if tensor is None or tensor.weight:
        return None if tensor is None else tensor.weight
    if tensor.value is None:
        return tensor.name
    return tensor.value.dtype.str, tensor.value.shape, hashlib.blake2b(tensor.value.tobytes()).digest()
