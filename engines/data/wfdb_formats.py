"""Formats of samples in signal files of WFDB.

Source: WFDB Applications Guide, `signal(5)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted


def unpack_samples(
    raw: bytes, form: int, signals: int, samples: int, place: str, initial: Sequence[int] = ()
) -> IntArray:
    """Return the values of the converter, shape `samples x signals`.

    Args:
        raw: raw of the file, without what stands before the first sample.
        form: one of `FORMATS`.
        signals: signals that alternate.
        samples: samples of each; 0: as many as there are.
        place: field of errors.
        initial: value of each signal before the first difference, of format 8; 0 by default.

    Raises:
        ProblemError: the file has fewer samples than `samples`.
    """
    flat = FORMATS[form](raw)
    count = samples or len(flat) // signals
    if count < 1 or len(flat) < count * signals:
        got = f"{counted(len(flat) // signals)} samples in the file"
        raise ProblemError(place, got, f"{counted(max(1, count))} samples of {signals} signals, undamaged")
    values = flat[: count * signals].reshape(count, signals)
    return np.cumsum(values, axis=0) + np.array(initial or 0) if form == 8 else values


def _plain(dtype: str, zero: int = 0) -> Callable[[bytes], IntArray]:
    size = np.dtype(dtype).itemsize
    return lambda raw: np.frombuffer(raw[: len(raw) // size * size], dtype).astype(np.int64) - zero


def _of_24_bits(raw: bytes) -> IntArray:
    low = _grouped(raw, 3)[: len(raw) // 3]
    return _signed(low[:, 0] | low[:, 1] << 8 | low[:, 2] << 16, 24)


def _of_12_bits(raw: bytes) -> IntArray:
    """Return two samples in three bytes; an odd number ends with two bytes."""
    data = _grouped(raw, 3)
    both = np.stack([data[:, 0] | (data[:, 1] & 0x0F) << 8, data[:, 2] | (data[:, 1] & 0xF0) << 4], axis=1)
    return _signed(both, 12).ravel()[: len(raw) * 8 // 12]


def _of_10_bits(raw: bytes) -> IntArray:
    """Format 310: three samples in two words of 16 bits, the third in the upper five bits of both."""
    low, high = _words(raw)
    third = high >> 11 << 5 | low >> 11
    return _signed(np.stack([low >> 1, high >> 1, third], axis=1), 10).ravel()[: _whole_tens(raw, 1)]


def _of_10_bits_in_order(raw: bytes) -> IntArray:
    """Format 311: three samples in the lower 30 of 32 bits."""
    low, high = _words(raw)
    word = low | high << 16
    return _signed(np.stack([word, word >> 10, word >> 20], axis=1), 10).ravel()[: _whole_tens(raw, 2)]


def _whole_tens(raw: bytes, in_three_bytes: int) -> int:
    """Return the number of whole samples of 10 bits, of which three stand in four bytes."""
    return len(raw) // 4 * 3 + (0, 0, 1, in_three_bytes)[len(raw) % 4]


def _words(raw: bytes) -> tuple[IntArray, IntArray]:
    data = _grouped(raw, 4)
    return data[:, 0] | data[:, 1] << 8, data[:, 2] | data[:, 3] << 8


def _grouped(raw: bytes, size: int) -> IntArray:
    """Return the bytes in rows of `size`, the last one filled up with zeros."""
    return np.frombuffer(raw + bytes(-len(raw) % size), np.uint8).astype(np.int64).reshape(-1, size)


def _signed(values: IntArray, bits: int) -> IntArray:
    """Return the lower bits as a number in two's complement."""
    low = values & ((1 << bits) - 1)
    return np.where(low >= 1 << (bits - 1), low - (1 << bits), low)


FORMATS: dict[int, Callable[[bytes], IntArray]] = {
    8: _plain("i1"), 16: _plain("<i2"), 24: _of_24_bits, 32: _plain("<i4"), 61: _plain(">i2"), 80: _plain("u1", 128),
    160: _plain("<u2", 32768), 212: _of_12_bits, 310: _of_10_bits, 311: _of_10_bits_in_order,
}  # fmt: skip
# The value that says: no sample. Format 8 has none.
MISSING = {
    16: -(1 << 15), 24: -(1 << 23), 32: -(1 << 31), 61: -(1 << 15), 80: -128, 160: -(1 << 15), 212: -2048, 310: -512, 311: -512,
}  # fmt: skip
