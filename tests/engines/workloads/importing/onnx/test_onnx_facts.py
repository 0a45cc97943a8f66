from __future__ import annotations

import numpy as np
import onnx
import pytest

from engines.workloads.importing.onnx.onnx_facts import (
    OnnxFact,
    dimensions_of,
    elements,
    from_value,
    merged,
    others,
    tensor_type,
)

FLOAT = onnx.TensorProto.FLOAT


def sizes_of(kind: onnx.TypeProto | None) -> tuple[int | None, ...] | None:
    return None if kind is None else dimensions_of(kind)


@pytest.mark.parametrize(
    ("first", "second", "sizes"),
    [
        ((2, None), (3, 4), (2, 4)),
        ((2, 3), (4, 5), (2, 3)),
        ((None, 3), (1, 2, 3), (None, 3)),
        (None, (4, 5), (4, 5)),
        ((None,), None, (None,)),
    ],
)
def test_two_sources_fill_each_others_gaps_and_the_first_is_right(
    first: tuple[int | None, ...] | None, second: tuple[int | None, ...] | None, sizes: tuple[int | None, ...]
) -> None:
    one, two = (None if each is None else tensor_type(FLOAT, each) for each in (first, second))
    assert sizes_of(merged(one, two)) == sizes


def test_a_size_below_zero_is_not_known() -> None:
    assert sizes_of(tensor_type(FLOAT, (-1, 3))) == (None, 3)
    assert elements((None, 3)) is None and elements((2, 3)) == 6 and others((2, 3, 4), 1) == 8


def test_another_size_forgets_the_value() -> None:
    found = from_value("x", np.array([[1, 2], [3, 4]]))
    assert found.shape == (2, 2) and found.shown_value() is not None
    assert found.with_size(-1, None).dimensions == (2, None) and found.with_size(-1, None).value is None
    assert found.with_size(2, 1).dimensions is None


def test_a_single_whole_number_is_one() -> None:
    assert from_value("n", np.array([7])).whole == 7
    assert from_value("n", np.array([7.0])).whole is None and from_value("n", np.array([7, 8])).whole is None
    assert OnnxFact("n").whole is None
