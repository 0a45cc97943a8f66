from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.figures import numbers

NB, THIN = numbers.NO_BREAK, numbers.THIN


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.44, "s", f"440{NB}ms"),
        (4.39, "J", f"4.39{NB}J"),
        (85e6, "B", f"85.0{NB}MB"),
        (4.799, "J·s", f"4.80{NB}J·s"),
        (1.53, "×", f"1.53{NB}×"),
        (0.9996, "s", f"1.00{NB}s"),
        (0.1, "Hz", f"0.100{NB}Hz"),
        (0.02, "Hz", f"0.0200{NB}Hz"),
        (1.377e9, "Hz", f"1.38{NB}GHz"),
        (999.4e-3, "s", f"999{NB}ms"),
        (1e-13, "J", f"0.100{NB}pJ"),
        (256e9, "B/s", f"256{NB}GB/s"),
        (3.06e9, "%·B·J·fps", f"3.06{NB}%·GB·J·fps"),
        (0.0243, "%·J·s", f"24.3{NB}%·mJ·s"),
        (0.5, "%·h", f"0.500{NB}%·h"),
        (-0.002, "s", f"−2.00{NB}ms"),
        (0, "s", f"0{NB}s"),
        (4200, "designs", f"4{THIN}200{NB}designs"),
        (12345.6, "", f"12{THIN}346"),
        (78.4, "%", f"78.4{NB}%"),
        (1500, "MB", f"1{THIN}500{NB}MB"),
        (None, "s", "–"),
        (float("nan"), "s", "–"),
        (float("inf"), "s", f"∞{NB}s"),
    ],
)
def test_it_shows_three_digits_with_a_prefix(value, unit, shown):
    assert numbers.si(value, unit) == shown


def test_rates_of_less_than_a_hertz_stay_in_hertz() -> None:
    assert numbers.scale_of([0.1, 0.3], "Hz") == numbers.Scale(1.0, "Hz")
    assert numbers.scale_of([1.377e9, 0.1], "Hz").unit == "GHz"


@given(st.floats(1e-12, 1e14))
def test_a_prefixed_number_lies_between_one_and_a_thousand(value):
    number, _ = numbers.split_si(value, "J")
    assert 1 <= float(number.replace(THIN, "")) < 1000


@given(st.floats(1e-9, 1e11), st.sampled_from(["s", "J", "B"]))
def test_a_prefixed_number_is_within_half_a_digit(value, unit):
    number, shown = numbers.split_si(value, unit)
    factor = {"T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3, "": 1, "m": 1e-3, "µ": 1e-6, "n": 1e-9}[shown.removesuffix(unit)]
    assert float(number.replace(THIN, "")) * factor == pytest.approx(value, rel=0.0051)


def test_one_column_has_one_unit():
    scale = numbers.scale_of([0.012, 0.45, float("nan"), float("inf")], "s")
    assert scale.unit == "ms" and scale.factor == pytest.approx(1000)
    assert numbers.scale_of([1.2, 0.003], "s").unit == "s"
    assert numbers.scale_of([], "s") == numbers.Scale(1.0, "s")
    assert numbers.scale_of([5e6], "evaluations") == numbers.Scale(1.0, "evaluations")


def test_decimals_are_equal_for_a_column():
    assert numbers.decimals_for([1.2345, 12.3]) == 2
    assert numbers.decimals_for([4200, 17]) == 0
    assert numbers.decimals_for([]) == 0


def test_it_writes_shares_ratios_and_whole_numbers():
    assert numbers.percent(0.784) == f"78{NB}%"
    assert numbers.percent(None) == "–"
    assert numbers.ratio(1.529) == f"1.53{NB}×"
    assert numbers.integer(4200) == f"4{THIN}200"
    assert numbers.fixed(-0.0004, 2) == "0.00"
    assert float(numbers.full(0.1 + 0.2)) == 0.1 + 0.2


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (3.94, f"3.9{NB}s"),
        (48, f"48{NB}s"),
        (72, f"1{NB}min 12{NB}s"),
        (7500, f"2{NB}h 05{NB}min"),
        (273_600, f"3{NB}d 4{NB}h"),
        (0.012, f"12{NB}ms"),
    ],
)
def test_it_writes_lengths_of_time(seconds, shown):
    assert numbers.duration(seconds) == shown


@pytest.mark.parametrize(
    ("passed", "shown"),
    [
        (timedelta(seconds=20), f"20{NB}s ago"),
        (timedelta(minutes=12), f"12{NB}min ago"),
        (timedelta(hours=3), f"3{NB}h ago"),
        (timedelta(hours=30), "yesterday"),
        (timedelta(days=9), f"12{NB}Nov"),
        (timedelta(days=400), f"17{NB}Oct 2025"),
        (timedelta(seconds=-5), f"0{NB}s ago"),
    ],
)
def test_it_writes_how_long_ago(passed, shown):
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert numbers.ago(now - passed, now) == shown


@pytest.mark.parametrize(
    ("longest", "unit"), [(0.4, "ms"), (599, "s"), (600, "min"), (10_000, "min"), (11_000, "h"), (0, "s")]
)
def test_a_long_time_axis_counts_minutes_or_hours(longest, unit):
    assert numbers.time_scale([0, longest]).unit == unit


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [(9, "chiplets", f"9{NB}chiplets"), (5.0, "", "5"), (4.0, "J", f"4.00{NB}J"), (0.4625, "", "0.463")],
)
def test_what_is_counted_has_no_decimals(value: float, unit: str, shown: str) -> None:
    assert numbers.amount(value, unit) == shown


def test_a_product_of_units_is_told_where_it_can_be_read() -> None:
    assert numbers.product_unit(["s", "J"]) == "J·s" and numbers.product_unit(["J"]) == "J"
    for units in (["%", "MB", "J", "fps"], ["s", "J", "mm²"], ["%", "s"], ["s", ""], []):
        assert numbers.product_unit(units) == "", units


def test_counts_that_nobody_reads_digit_by_digit_have_a_power_of_ten() -> None:
    assert (numbers.integer(2880 * 2**54), numbers.integer(10**400), numbers.integer(float("inf"))) == (
        "5.2 × 10¹⁹",
        "1.0 × 10⁴⁰⁰",
        "–",
    )
