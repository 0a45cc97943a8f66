"""Seconds and bytes of small networks by hand."""

from dataclasses import replace

import pytest

from engines.methods.eexnas.architecture import Architecture, Block, laid_out
from engines.methods.eexnas.costs import Microcontroller, cost_of

SMALL = Architecture((Block(4, 3, 2, 2, 2), Block(8, 5, 1, 0, 0)), 16)
DEVICE = Microcontroller(
    "", clock_hz=1e6, power_w=2.0, ram_bytes=1e5, cycles_per_mac=10.0, cycles_per_add=1.0, cycles_per_word=2.0,
    overhead_bytes=100.0,
)  # fmt: skip


def test_an_exit_is_asked_by_all_and_answers_some() -> None:
    laid = laid_out(SMALL, 1, 32, 2)
    assert laid is not None
    cost = cost_of(laid, DEVICE)
    assert cost.early_s == pytest.approx(1e-5 * (192 + 32 + 40))
    assert cost.alone_s == pytest.approx(1e-5 * (192 + 32 + 1280 + 1024 + 32))
    assert cost.late_s - cost.alone_s == pytest.approx(1e-5 * 40)
    assert cost.mean_s(0.25) == pytest.approx(0.25 * cost.early_s + 0.75 * cost.late_s)
    assert DEVICE.ram(laid) == laid.static_bytes + 100


def test_bits_are_added_in_the_first_layer_and_compared_in_words_behind_it() -> None:
    laid = laid_out(replace(SMALL, binary=True), 2, 32, 3)
    assert laid is not None
    cost = cost_of(laid, DEVICE)
    assert cost.early_s == pytest.approx(1e-6 * (384 + 2 * 8 + 2 * 11))
    slow = replace(DEVICE, cycles_per_mac=1e6)  # nothing of it is in floating point
    assert cost_of(laid, slow) == cost
