from __future__ import annotations

import pytest

from engines.workloads.importing.einsum import einsum_rows
from engines.workloads.importing.graph import UnknownSizeError
from engines.workloads.loader import load_network


def macs_of(equation: str, *shapes: tuple[int, ...], constants: tuple[bool, ...] = ()) -> list[int]:
    rows = einsum_rows("e", equation, shapes, constants or (False,) * len(shapes))
    if not rows:
        return []
    words = {"schema": "network/1", "slug": "e", "title": "E", "short_title": "E", "summary": "", "source": "by hand"}
    return [operation.macs for operation in load_network({**words, "operations": rows}).operations]


def test_two_operands_are_one_product() -> None:
    assert macs_of("bij,bjk->bik", (2, 3, 4), (2, 4, 5)) == [2 * 3 * 4 * 5]
    assert macs_of("...ij,jk", (2, 3, 4), (4, 5), constants=(False, True)) == [2 * 3 * 4 * 5]


def test_three_operands_are_computed_from_left_to_right() -> None:
    assert macs_of("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)) == [2 * 3 * 4, 2 * 4 * 5]


def test_a_sum_or_a_turn_is_no_product() -> None:
    assert macs_of("ij->ji", (2, 3)) == []


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->il", ((2, 3), (3, 4))),
        ("ij,jk", ((2, 3), (4, 5))),
        ("ij", ((2, 3), (3, 4))),
        ("ijk,jk", ((2, 3), (3, 4))),
    ],
)
def test_an_equation_that_does_not_fit_is_refused(equation: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(UnknownSizeError, match="the contraction"):
        macs_of(equation, *shapes)
