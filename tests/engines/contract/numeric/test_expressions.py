from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.contract.numeric.expressions import MOST_CHARACTERS, parse_expression

NAMES = ("energy_j", "latency_s")


def parsed(text: str):
    return parse_expression(text, NAMES, "params.objective_expression")


def value(text: str, latency: float, energy: float) -> float:
    return float(parsed(text).value({"latency_s": np.array([latency]), "energy_j": np.array([energy])})[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("latency_s * energy_j", 6.0), ("latency_s**2 * energy_j", 12.0), ("max(latency_s, 2.5) + 1", 3.5),
        ("sqrt(energy_j + 1)", 2.0), ("-latency_s + 5", 3.0), ("(latency_s - 1) / 4", 0.25), ("min(latency_s, energy_j)", 2.0),
    ],
)  # fmt: skip
def test_arithmetic(text: str, expected: float) -> None:
    assert value(text, 2.0, 3.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "offending"),
    [
        ("__import__('os').system('true')", "__import__('os').system('true')"), ("latency_s.real", "latency_s.real"),
        ("power_w * 2", "power_w"),
        ("latency_s if energy_j else 1", "latency_s if energy_j else 1"),
        ("[latency_s][0]", "[latency_s][0]"),
        ("latency_s ** energy_j", "latency_s ** energy_j"), ("latency_s ** 99", "latency_s ** 99"), ("True + latency_s", "True"),
        ("latency_s < 3", "latency_s < 3"), ("lambda: latency_s", "lambda: latency_s"), ("max(latency_s)", "max(latency_s)"),
        ("f'{latency_s}'", "f'{latency_s}'"), ("1e999 * latency_s", "1e309"), ("'a' * 3", "'a'"),
    ],
)  # fmt: skip
def test_what_is_not_listed_is_refused_by_name(text: str, offending: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parsed(text)
    assert caught.value.field == "params.objective_expression"
    assert caught.value.got == offending and caught.value.accepted


@pytest.mark.parametrize(
    "text", ["", "3 * 4", "latency_s +", "1" * (MOST_CHARACTERS + 1), "(" * 90 + "latency_s" + ")" * 100 + "x"]
)
def test_empty_constant_broken_and_long_texts_are_refused(text: str) -> None:
    with pytest.raises(ProblemError):
        parsed(text)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ProblemError, match="fewer than 30 nested levels"):
        parsed("-" * 40 + "latency_s")


@pytest.mark.parametrize(
    "text", ["latency_s * energy_j + 2", "latency_s**0.5", "max(latency_s, 1) / 3", "energy_j / (1 / latency_s)"]
)
def test_rising_expressions_are_known_as_such(text: str) -> None:
    assert parsed(text).rising


@pytest.mark.parametrize(
    "text", ["latency_s / energy_j", "latency_s - 1", "-latency_s", "1 / latency_s", "(latency_s - 2)**2"]
)
def test_others_are_not(text: str) -> None:
    assert not parsed(text).rising


@given(st.text(max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        parsed(text)
    except ProblemError:
        return
