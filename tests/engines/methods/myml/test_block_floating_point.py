"""Block floating point by worked examples and by its bound."""

import numpy as np
import pytest

from engines.methods.myml.block_floating_point import BlockFormat, decoded, dot, encoded

BFP16 = BlockFormat(64, 7)


def test_a_block_by_hand() -> None:
    mantissas, exponents = encoded(np.array([1.0, 0.5, -0.3, 0.004, 0.0]), BFP16)
    # The largest is 0.5 x 2^1: the step is 2^(1 - 7), 1/64.
    assert exponents.tolist() == [-6]
    assert mantissas.tolist() == [64, 32, -19, 0, 0]  # 0.3 x 64 = 19.2
    assert decoded(mantissas, exponents, BFP16).tolist() == [1.0, 0.5, -19 / 64, 0.0, 0.0]


def test_halves_go_to_even_and_the_largest_mantissa_saturates() -> None:
    mantissas, exponents = encoded(np.array([127.9, 2.5, 3.5]), BFP16)
    assert exponents.tolist() == [0] and mantissas.tolist() == [127, 2, 4]


def test_blocks_have_exponents_of_their_own() -> None:
    form = BlockFormat(2, 3)
    mantissas, exponents = encoded(np.array([[4.0, 1.0, 0.25, 0.0, 7.0]]), form)
    assert exponents.tolist() == [[0, -4, 0]] and mantissas.tolist() == [[4, 1, 4, 0, 7]]
    assert BFP16.name == "bfp64x7"


def test_a_product_adds_the_exponents() -> None:
    form = BlockFormat(2, 7)
    # Blocks (1, 0.5) and (0.25): mantissas (64, 32) 2^-6 and 64 2^-8; (2, 1) and (4): (64, 32) 2^-5 and 64 2^-4.
    assert (
        dot(np.array([1.0, 0.5, 0.25]), np.array([2.0, 1.0, 4.0]), form) == (64 * 64 + 32 * 32) / 2**11 + 4096 / 2**12
    )


@pytest.mark.parametrize("form", [BFP16, BlockFormat(8, 7), BlockFormat(16, 3)])
def test_no_value_is_further_off_than_the_bound(form: BlockFormat) -> None:
    values = np.random.default_rng(3).standard_normal((50, 200)) * np.logspace(-6, 6, 50)[:, None]
    mantissas, exponents = encoded(values, form)
    off, steps = np.abs(decoded(mantissas, exponents, form) - values), decoded(np.ones_like(mantissas), exponents, form)
    # Half a step; one step where it saturates.
    assert (off <= np.where(np.abs(values) > form.largest * steps, steps, steps / 2)).all()
    assert off.max() > 0


def test_smaller_blocks_and_wider_mantissas_are_nearer() -> None:
    values = np.random.default_rng(4).standard_normal(4096)

    def off(form: BlockFormat) -> float:
        return float(((decoded(*encoded(values, form), form) - values) ** 2).sum())

    assert off(BlockFormat(8, 7)) < off(BFP16) < off(BlockFormat(512, 7))
    assert off(BFP16) < off(BlockFormat(64, 5))
