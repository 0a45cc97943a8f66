"""Operators as rows: what a row says is what the operator computes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.workloads.importing.graph import UnknownSizeError
from engines.workloads.importing.rows import convolution_row, gemm_row, product_row
from engines.workloads.operations import to_operation
from engines.workloads.schema import OperationSection

SIZES = st.integers(1, 5)


def macs(row: dict[str, object]) -> int:
    return to_operation(0, OperationSection.model_validate(row)).macs


@given(st.lists(SIZES, max_size=2), SIZES, SIZES, SIZES, st.booleans(), st.booleans(), st.booleans())
def test_a_product_counts_as_numpy_multiplies(
    batch: list[int], m: int, c: int, k: int, flat: bool, left_weight: bool, right_weight: bool
) -> None:
    left, right = (m, c) if flat else (*batch, m, c), (*batch, c, k)
    shape = np.matmul(np.zeros(left), np.zeros(right)).shape
    assert macs(product_row("it", left, right, left_weight, right_weight)) == np.prod(shape) * c


def test_a_convolution_in_three_directions_is_not_guessed() -> None:
    with pytest.raises(UnknownSizeError):
        convolution_row(
            "it",
            1,
            (4, 4, 4),
            (2, 2),
            (3, 3, 3),
            strides=(1, 1, 1),
            dilations=(1, 1, 1),
            pads=(0,) * 6,
            groups=1,
            bias=False,
        )


def test_a_row_says_no_defaults() -> None:
    assert gemm_row("it", 2, 3, 4) == {"name": "it", "kind": "gemm", "y": 2, "c": 3, "k": 4, "weight_elements": 12}
