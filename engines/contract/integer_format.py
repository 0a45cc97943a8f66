"""The format of whole numbers in the sentences of pages and engines."""

from __future__ import annotations

from decimal import Decimal

THIN_SPACE = "\u2009"
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_DIGIT_BY_DIGIT = 10**15  # a float holds hardly more digits


def counted(value: float) -> str:
    """Return a whole number with thin spaces between thousands, from 10¹⁵ on as `powers_of_ten`: "84 934 656", "5.2 × 10¹⁹".

    Decimals are rounded.
    """
    if _DIGIT_BY_DIGIT <= abs(value) < float("inf"):
        return powers_of_ten(int(value))
    return f"{value:,.0f}".replace(",", THIN_SPACE)


def many(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: "1 run", "1 024 runs", "2 frequencies", "2 hardware"."""
    return f"{counted(count)} {noun if count == 1 else plural or _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith(("s", "hardware", "data")):
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def rounded(value: float) -> str:
    """Return an amount with at most one decimal below 100 ("0.4", "12"), otherwise as `counted`."""
    return counted(value) if value >= 100 or float(value).is_integer() else f"{value:.1f}"


def powers_of_ten(count: int) -> str:
    """Return a whole number of any size with two digits and a power of ten: "1.2 × 10⁴⁵"."""
    digits, exponent = f"{Decimal(count):.1e}".split("e+")  # more than a float can hold
    return f"{digits} × 10{exponent.translate(_SUPERSCRIPTS)}"
