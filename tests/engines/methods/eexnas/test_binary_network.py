"""Bits in torch and as words."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.methods.eexnas.binary_c_code import packed  # noqa: E402
from engines.methods.eexnas.binary_network import Bits, sign  # noqa: E402


def test_a_sign_has_the_gradient_of_its_input_near_zero() -> None:
    values = torch.tensor([-2.0, -0.5, 0.0, 0.5, 2.0], requires_grad=True)
    found = sign(values)
    found.backward(torch.arange(1.0, 6.0))
    assert found.tolist() == [-1, -1, 1, 1, 1]
    assert values.grad is not None and values.grad.tolist() == [0, 2, 3, 4, 0]


def test_sums_and_thresholds_are_whole_numbers() -> None:
    layer = Bits((1, 2, 3), 1)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]]]))
        layer.bias.fill_(1.3)  # times the root of six taps: 3.18, rounded
    assert layer.offsets().tolist() == [3.0]
    seen = torch.tensor([[[1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]])
    # Padding adds nothing: the ends have four taps.
    expected = np.array([-1 - 1 + 1 + 1, 1 + 1 - 1 - 1 + 1 + 1, -1 + 1 - 1 + 1]) + 3 >= 0
    assert (layer(seen)[0, 0].detach().numpy() > 0).tolist() == expected.tolist()


def test_words_have_a_bit_of_each_channel() -> None:
    weights = np.array([[[1.0, -1.0, 0.0], [-1.0, -1.0, 1.0]]])
    assert packed(weights).tolist() == [0b101, 0b100]
    wide = np.ones((1, 1, 40))
    assert packed(wide).tolist() == [2**32 - 1, 2**8 - 1]
