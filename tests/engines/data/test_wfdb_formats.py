"""Formats of samples, byte by byte."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.data.wfdb_formats import FORMATS, MISSING, unpack_samples


@pytest.mark.parametrize(
    ("form", "raw", "right"),
    [
        (8, "00 05 fd", [10, 15, 12]),  # differences, from an initial value of 10 on
        (16, "34 12 fe ff", [0x1234, -2]),
        (24, "56 34 12 ff ff ff", [0x123456, -1]),
        (32, "01 00 00 80 02 00 00 00", [-(2**31) + 1, 2]),
        (61, "12 34 ff fe", [0x1234, -2]),
        (80, "80 00 ff", [0, -128, 127]),
        (160, "00 80 01 00", [0, -32767]),
        (212, "23 f1 ff", [0x123, -1]),  # low bytes 23 and ff, the upper halves f and 1 between them
        (212, "23 f1 ff 00 08", [0x123, -1, -2048]),  # an odd number ends with two bytes
        (310, "0a a8 fe 57", [5, -1, 341]),  # 5 x 2 + 21 x 2048; 1023 x 2 + 10 x 2048; 341 = 10 x 32 + 21
        (310, "0a a8 fe 57 0a a8", [5, -1, 341, 5]),
        (311, "05 fc 5f 15", [5, -1, 341]),  # 5 + 1023 x 1024 + 341 x 1048576
        (311, "05 fc 5f 15 05 fc 5f", [5, -1, 341, 5, -1]),
        (311, "05 fc 5f 15 05 fc", [5, -1, 341, 5]),
    ],
)
def test_samples_of_every_format(form: int, raw: str, right: list[int]) -> None:
    assert unpack_samples(bytes.fromhex(raw), form, 1, 0, "x", [10]).ravel().tolist() == right
    assert unpack_samples(bytes.fromhex(raw), form, 1, len(right), "x", [10]).ravel().tolist() == right
    with pytest.raises(ProblemError, match=f"{len(right)} samples in the file"):
        unpack_samples(bytes.fromhex(raw), form, 1, len(right) + 1, "x")


def test_signals_take_turns_and_differences_are_their_own() -> None:
    assert unpack_samples(bytes([0, 0, 1, 2, 3, 4]), 8, 2, 0, "x", [10, 20]).tolist() == [[10, 20], [11, 22], [14, 26]]
    assert unpack_samples(bytes.fromhex("010002000300"), 16, 2, 0, "x").tolist() == [[1, 2]]


def test_every_format_without_differences_has_a_value_that_says_no_sample() -> None:
    assert FORMATS.keys() - MISSING.keys() == {8}
