"""Names of bits, what they take in memory, and which rate of a unit executes them."""

from __future__ import annotations

import pytest

from hardware.bits import bit_widths, is_bits_name, rate_of, whole_bytes


@pytest.mark.parametrize(
    ("name", "weights", "activations"),
    [
        ("int8", 8, 8),
        ("bf16", 16, 16),
        ("w4a16", 4, 16),
        ("w8a16", 8, 16),
        ("w4a16-g32", 4 + (16 + 4) / 32, 16),
        ("w4a16-g128", 4 + (16 + 4) / 128, 16),
        ("w2a8-g64", 2 + (16 + 2) / 64, 8),
        ("w1.58a8", 8 / 5, 8),  # five ternary weights in a byte
        ("nvfp4", 4 + 8 / 16, 4),
        ("mxfp4", 4 + 8 / 32, 4),
    ],
)
def test_a_name_stands_for_bits_with_the_share_of_scales_and_zero_points(
    name: str, weights: float, activations: float
) -> None:
    found = bit_widths(name)
    assert (found.weights, found.activations, found.accumulators) == (weights, activations, 32)
    assert (found.weight_bytes, found.activation_bytes) == (weights / 8, activations / 8)


@pytest.mark.parametrize(
    "name", ["", "w4", "w7a8", "w4a16-g100", "w16a8", "int5", "W4A16", "w4a16-g128 ", "w" * 10_000]
)
def test_other_names_are_refused_with_those_that_are_known(name: str) -> None:
    assert not is_bits_name(name)
    with pytest.raises(ValueError, match=r"int4, .*nvfp4.* w4a16 .*w4a16-g128"):
        bit_widths(name)


@pytest.mark.parametrize(
    ("bits", "rates", "expected"),
    [
        ("int8", {"int8": 8.0, "fp16": 4.0}, ("int8", 8.0, False)),
        ("int8", {"fp32": 1.0, "fp16": 4.0}, ("fp16", 4.0, False)),
        ("w4a16", {"int8": 8.0, "fp16": 4.0}, ("fp16", 4.0, True)),
        ("w4a16", {"w4a16": 6.0, "fp16": 4.0}, ("w4a16", 6.0, False)),
        ("w4a16-g64", {"w4a16": 6.0, "fp16": 4.0}, ("w4a16", 6.0, False)),
        ("w4a8", {"int8": 8.0}, ("int8", 8.0, True)),
        ("int4", {"int4": 16.0, "int8": 8.0}, ("int4", 16.0, False)),
        ("nvfp4", {"fp16": 4.0, "fp8": 8.0}, ("fp8", 8.0, True)),
        ("fp8", {"int8": 8.0, "bf16": 3.0}, ("bf16", 3.0, False)),
        ("w8a16", {"int8": 8.0, "int16": 2.0}, ("int16", 2.0, False)),
    ],
)
def test_a_unit_executes_the_pair_or_the_narrowest_format_that_holds_it(
    bits: str, rates: dict[str, float], expected: tuple[str, float, bool]
) -> None:
    found = rate_of(rates, bit_widths(bits))
    assert found is not None and (found.name, found.operations_per_cycle, found.unpacks) == expected


@pytest.mark.parametrize(
    ("bits", "rates"), [("fp16", {"int8": 8.0}), ("w4a16", {"int8": 8.0}), ("int8", {"int4": 1.0})]
)
def test_a_unit_without_a_format_wide_enough_executes_nothing(bits: str, rates: dict[str, float]) -> None:
    assert rate_of(rates, bit_widths(bits)) is None


def test_what_an_operation_states_takes_the_place_of_one_or_both() -> None:
    usual = bit_widths("fp16")
    assert usual.with_stated(0, 0) is usual
    weights = usual.with_stated(4.625, 0)
    assert (weights.name, weights.weights, weights.activations, weights.arithmetic) == ("w4a16", 4.625, 16, "fp16")
    both = usual.with_stated(8, 8)
    assert (both.weights, both.activations, both.arithmetic) == (8, 8, "int8")


def test_whole_bytes_are_bits_of_every_element() -> None:
    assert (whole_bytes(2).name, whole_bytes(2).weights, whole_bytes(2).activations) == ("int16", 16, 16)
