"""Whole numbers in sentences."""

import re
from pathlib import Path

import pytest

from engines.contract.integer_format import counted, many, powers_of_ten

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (999, "999"),
        (12_198, "12\u2009198"),
        (84_934_656, "84\u2009934\u2009656"),
        (1234.6, "1\u2009235"),
        (10**15 - 1, "999\u2009999\u2009999\u2009999\u2009999"),
        (2880 * 2**54, "5.2 × 10¹⁹"),
        (7 * 10**400, "7.0 × 10⁴⁰⁰"),
        (float("inf"), "inf"),
    ],
)
def test_thousands_stand_apart_by_a_thin_space(value: float, words: str) -> None:
    assert counted(value) == words


def test_numbers_that_no_float_holds_have_a_power_of_ten() -> None:
    assert (powers_of_ten(1_240_000), powers_of_ten(98 * 10**400)) == ("1.2 × 10⁶", "9.8 × 10⁴⁰¹")


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (1, "run", "1 run"),
        (1200, "run", "1\u2009200 runs"),
        (0, "frequency", "0 frequencies"),
        (2, "delay", "2 delays"),
        (2, "hardware", "2 hardware"),
        (2, "cores", "2 cores"),
    ],
)
def test_a_noun_agrees_with_its_count(count: int, noun: str, words: str) -> None:
    assert many(count, noun) == words


def test_a_noun_may_bring_its_own_plural() -> None:
    assert [many(count, "worker is", "workers are") for count in (1, 2)] == ["1 worker is", "2 workers are"]


_COUNT = re.compile(
    r"(?<!of )(?<!Of )(?<!most )(?<!least )(?<!than )(?<!All )(?<!the )(?<!same )(?<!to )"
    r"\{(?:counted|integer|len)\((?:[^(){}\"']|\((?:[^(){}\"']|\([^(){}\"']*\))*\))*\)\} "
    r"(?:designs|combinations|schedules|cuts|networks|layers|applications|controllers|rows|steps|images|subnets|searches|epochs|"
    r"budgets|bottlenecks|points|evaluations|blocks|candidates|episodes|windows|exits|chiplets|packages|mappings|runs)\b"
)
_SEVERAL = re.compile(r"== 1 else|> 1\b|!= 1\b|if several")


def test_sentences_write_a_count_with_its_noun_by_many():
    """A count may be one wherever no word says that it is more."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("engines", "webapp", "frontend")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in path.read_text().splitlines()
        if _COUNT.search(line) and not _SEVERAL.search(line)
    ]
    assert found == []
