"""Bits per element of weights and activations, by the names that people use: "int8", "w4a16", "w4a16-g128", "nvfp4".

Weights below 8 bits share a scale, and often a zero point, in groups: "-g128" counts 16 bits of scale and one zero point of the
weights' bits for each 128 of them, as AutoGPTQ, AWQ and ONNX's `MatMulNBits` store them. Without a group a channel has one scale,
which counts nothing. NVFP4 has groups of 16 with a scale of 8 bits, MXFP4 of 32 with 8 bits and no zero point (OCP Microscaling
Formats 1.0). Ternary weights ("w1.58") take 1.6 bits: five of them fit into a byte, as 3^5 < 2^8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

BITS_PER_BYTE = 8
# Operations that prepare a weight which no load instruction of a unit delivers: mask or shift, and convert. Assumed.
UNPACK_OPERATIONS_PER_WEIGHT = 2.0
_LOADABLE_BITS = 8
_SCALE_BITS = 16
_WEIGHTS = {"1": 1.0, "1.58": 1.6, "2": 2.0, "3": 3.0, "4": 4.0, "5": 5.0, "6": 6.0, "8": 8.0, "16": 16.0, "32": 32.0}
_PAIR = re.compile(r"w(?P<weights>[0-9.]+)a(?P<activations>4|8|16|32)(?:-g(?P<group>16|32|64|128|256))?")


@dataclass(frozen=True)
class NumberFormat:
    """A format that compute units execute.

    Attributes:
        bits: bits of an element.
        integer_bits: bits of the widest integer that the format can replace.
        floating: whether it has an exponent.
    """

    bits: int
    integer_bits: int
    floating: bool


# From narrow to wide: where a unit lacks a format, the first wider one that holds its values serves.
FORMATS: Mapping[str, NumberFormat] = {
    "int4": NumberFormat(4, 4, False),
    "fp4": NumberFormat(4, 2, True),
    "int8": NumberFormat(8, 8, False),
    "fp8": NumberFormat(8, 4, True),
    "fp16": NumberFormat(16, 8, True),
    "bf16": NumberFormat(16, 8, True),
    "int16": NumberFormat(16, 16, False),
    "fp32": NumberFormat(32, 16, True),
}
# Name -> bits of a weight with its share of scales, bits of an activation, format of the arithmetic.
_NAMED = {
    **{name: (float(each.bits), float(each.bits), name) for name, each in FORMATS.items()},
    "nvfp4": (4 + 8 / 16, 4.0, "fp4"),
    "mxfp4": (4 + 8 / 32, 4.0, "fp4"),
}
# Bits of an activation -> format of the arithmetic of a pair, as runtimes pair them: integers up to 8 bits, else floating point.
_PAIRED = {"4": "int4", "8": "int8", "16": "fp16", "32": "fp32"}
ACCEPTED = f"{', '.join(_NAMED)}, or a pair such as w4a16 or w1.58a8, or w4a16-g128 for groups of 16 to 256 weights"


@dataclass(frozen=True)
class BitWidths:
    """Bits per element of the tensors of an operation.

    Attributes:
        name: written name ("w4a16-g128").
        weights: bits that a weight takes in memory, with its share of scale and zero point.
        activations: bits of an element of inputs and results.
        arithmetic: format that multiplies, where a unit has it.
        accumulators: bits of a sum.
    """

    name: str
    weights: float
    activations: float
    arithmetic: str
    accumulators: int = 32

    @property
    def weight_bytes(self) -> float:
        """Bytes of a weight."""
        return self.weights / BITS_PER_BYTE

    @property
    def activation_bytes(self) -> float:
        """Bytes of an element of inputs and results."""
        return self.activations / BITS_PER_BYTE

    @property
    def arithmetic_bytes(self) -> float:
        """Bytes of the wider operand, by which the energy of a multiply-accumulate scales."""
        return max(self.weights, self.activations) / BITS_PER_BYTE

    def with_stated(self, weights: float, activations: float) -> BitWidths:
        """Return the bit widths of an operation whose network sets its own; 0 means unset."""
        if not weights and not activations:
            return self
        activations = activations or self.activations
        weights = weights or min(self.weights, activations)
        arithmetic = (
            self.arithmetic if activations == self.activations else _PAIRED.get(f"{activations:g}", self.arithmetic)
        )
        return BitWidths(f"w{int(weights)}a{activations:g}", weights, activations, arithmetic)

    @property
    def packed(self) -> bool:
        """Whether no load instruction delivers a weight: a unit without such arithmetic unpacks it first."""
        return self.weights < _LOADABLE_BITS


@dataclass(frozen=True)
class Rate:
    """How a unit executes operands of some bits.

    Attributes:
        name: the format or pair that it executes them as.
        operations_per_cycle: operations per cycle of all cores; a multiply-accumulate counts as two.
        unpacks: whether weights are unpacked first.
    """

    name: str
    operations_per_cycle: float
    unpacks: bool


@lru_cache(maxsize=256)
def bit_widths(name: str) -> BitWidths:
    """Return the bits that a name represents ("int8", "w4a16-g128").

    Raises:
        ValueError: an unknown name; the message says which are known.
    """
    if name in _NAMED:
        return BitWidths(name, *_NAMED[name])
    found = _PAIR.fullmatch(name)
    if found is None or found["weights"] not in _WEIGHTS or float(found["weights"]) > float(found["activations"]):
        raise ValueError(ACCEPTED)
    stored = _WEIGHTS[found["weights"]]
    shared = (_SCALE_BITS + stored) / float(found["group"]) if found["group"] else 0.0
    return BitWidths(name, stored + shared, float(found["activations"]), _PAIRED[found["activations"]])


def is_bits_name(name: str) -> bool:
    """Return whether a name of bits is known."""
    try:
        bit_widths(name)
    except ValueError:
        return False
    return True


def whole_bytes(count: int) -> BitWidths:
    """Return the widths of a device that stores every element in `count` bytes, as whole numbers."""
    bits = BITS_PER_BYTE * count
    return BitWidths(f"int{bits}", float(bits), float(bits), "int8" if count == 1 else "int16")


def rate_of(rates: Mapping[str, float], bits: BitWidths) -> Rate | None:
    """Return the rate of a unit for operands of those widths; None if it has no format that is wide enough.

    Args:
        rates: format or pair ("int8", "w4a16") -> operations per cycle of the unit.
        bits: bits of the operands.
    """
    for name in _executable(bits):
        if name in rates:
            native = "a" in name or FORMATS[name].bits <= bits.weights
            return Rate(name, rates[name], bits.packed and not native)
    return None


def able_units(rates: Mapping[str, Mapping[str, float]], name: str) -> frozenset[str]:
    """Return the units that execute operands of the bits of that name.

    Args:
        rates: unit -> format or pair -> operations per cycle.
        name: name of the bits, such as "int8".

    Raises:
        ValueError: an unknown name.
    """
    bits = bit_widths(name)
    return frozenset(unit for unit, each in rates.items() if rate_of(each, bits) is not None)


def _executable(bits: BitWidths) -> Iterator[str]:
    """Yield names of rates that can execute the bits, the best first: the pair itself, then formats from narrow to wide."""
    yield bits.name.partition("-g")[0]
    wanted = FORMATS[bits.arithmetic]
    yield bits.arithmetic
    for name, each in FORMATS.items():
        holds = (
            each.bits >= wanted.bits and each.floating if wanted.floating else each.integer_bits >= wanted.integer_bits
        )
        if holds:
            yield name
    if wanted.floating and bits.activations == FORMATS["int16"].bits:
        yield "int16"  # fixed point, as processors of signals have it
