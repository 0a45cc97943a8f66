from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.engines.workloads.documents_for_tests import operation


def test_a_convolution_by_hand() -> None:
    # 16x12 with one zero on each side, kernel 3, stride 2: (16+2-3)//2+1 = 8 rows, (12+2-3)//2+1 = 6 columns.
    it = operation("conv", k=8, c=3, r=3, s=3, y=16, x=12, stride=2, pad=1)
    assert (it.oy, it.ox) == (8, 6)
    assert it.macs == 8 * 3 * 9 * 48
    assert (it.weight_elements, it.input_elements, it.output_elements) == (216, 576, 384)


def test_groups_divide_the_kernel() -> None:
    assert operation("conv", k=8, c=4, r=3, s=3, y=3, x=3, groups=2).weight_elements == 8 * 2 * 9


def test_a_depthwise_convolution_has_one_group_per_channel() -> None:
    it = operation("depthwise", k=6, c=6, r=3, s=3, y=5, x=5)
    assert (it.groups, it.macs, it.weight_elements) == (6, 6 * 9 * 9, 54)


def test_bias_may_be_counted_among_the_weights() -> None:
    assert operation("gemm", k=10, c=20, weight_elements=210).weight_elements == 210


@given(
    k=st.integers(1, 6),
    c=st.integers(1, 6),
    r=st.integers(1, 4),
    y=st.integers(4, 12),
    stride=st.integers(1, 3),
    pad=st.integers(0, 2),
)
def test_macs_count_every_product_of_a_convolution(k: int, c: int, r: int, y: int, stride: int, pad: int) -> None:
    it = operation("conv", k=k, c=c, r=r, s=r, y=y, x=y, stride=stride, pad=pad)
    positions = len(range(0, y + 2 * pad - r + 1, stride))
    assert (it.oy, it.ox) == (positions, positions)
    assert it.macs == k * c * r * r * positions**2
