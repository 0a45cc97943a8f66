from __future__ import annotations

import pytest

from engines.workloads.importing.graph import UnknownSizeError
from engines.workloads.importing.rows import contraction_row, product_row


@pytest.mark.parametrize(("left", "right"), [((4, 5), (6, 3)), ((2, 4, 5), (3, 5, 6))])
def test_shapes_that_cannot_be_multiplied_are_not_guessed(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    with pytest.raises(UnknownSizeError):
        product_row("it", left, right, False, False)


@pytest.mark.parametrize("equation", ["ij,jk", "ii,ij->j", "ij,jk->i", "...ij,...jk->...ik", "ij->ji", ""])
def test_contractions_that_are_no_product_are_not_guessed(equation: str) -> None:
    with pytest.raises(UnknownSizeError):
        contraction_row("it", equation, (4, 5), (5, 6), False)
