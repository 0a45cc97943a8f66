"""Block floating point: values of a block share one exponent, each has a sign and a mantissa (goyal-2023 eq. 4.3 and 4.4).

The exponent of a block is that of its largest value: 2^e is the step, e = floor(log2 max) + 1 - bits. Mantissas are rounded to the
nearest whole number, halves to even, and saturate at 2^bits - 1. So a value within the range is off by half a step at most, the
largest one of a block by one step where it saturates, and a step is 2^(1 - bits) of the largest value at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

EXPONENT_BITS = 8
_LOWEST, _HIGHEST = -(2 ** (EXPONENT_BITS - 1)), 2 ** (EXPONENT_BITS - 1) - 1


@dataclass(frozen=True)
class BlockFormat:
    """How values are kept.

    Attributes:
        block: values that share an exponent.
        mantissa_bits: without the sign.
    """

    block: int
    mantissa_bits: int

    @property
    def largest(self) -> int:
        """Mantissa."""
        return int(2**self.mantissa_bits - 1)

    @property
    def name(self) -> str:
        """Return the name as decisions write it: bfp64x7."""
        return f"bfp{self.block}x{self.mantissa_bits}"


def encoded(values: FloatArray, form: BlockFormat) -> tuple[IntArray, IntArray]:
    """Return mantissas, shape `... x n`, and exponents of the blocks along the last axis, shape `... x ceil(n / block)`.

    The last block may be shorter. A value is mantissa x 2^exponent.
    """
    count = values.shape[-1]
    blocks = -(-count // form.block)
    padded = np.zeros((*values.shape[:-1], blocks * form.block))
    padded[..., :count] = values
    parts = padded.reshape(*values.shape[:-1], blocks, form.block)
    _, exponents = np.frexp(np.abs(parts).max(axis=-1))  # largest = m 2^e with 0.5 <= m < 1
    steps = np.clip(exponents - form.mantissa_bits, _LOWEST, _HIGHEST).astype(np.int64)
    mantissas = np.rint(np.ldexp(parts, -steps[..., None].astype(np.int32)))
    mantissas = np.clip(mantissas, -form.largest, form.largest).astype(np.int64)
    return mantissas.reshape(*values.shape[:-1], blocks * form.block)[..., :count], steps


def decoded(mantissas: IntArray, exponents: IntArray, form: BlockFormat) -> FloatArray:
    """Return the values, shape as `mantissas`."""
    spread = np.repeat(exponents, form.block, axis=-1)[..., : mantissas.shape[-1]]
    found: FloatArray = np.ldexp(mantissas.astype(np.float64), spread.astype(np.int32))
    return found


def dot(first: FloatArray, second: FloatArray, form: BlockFormat) -> float:
    """Return the dot product of two vectors of shape `n`: per block the products of mantissas, then 2^(e_a + e_b) (eq. 4.4)."""
    a, a_exponents = encoded(first, form)
    b, b_exponents = encoded(second, form)
    total = 0.0
    for number, (left, right) in enumerate(zip(a_exponents.tolist(), b_exponents.tolist(), strict=True)):
        part = slice(number * form.block, (number + 1) * form.block)
        total += float(np.ldexp(float((a[part] * b[part]).sum()), left + right))
    return total
