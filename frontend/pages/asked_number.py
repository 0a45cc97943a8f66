"""Whole numbers of an address."""

from __future__ import annotations

_MOST_DIGITS = 9


def asked_number(text: str | None) -> int | None:
    """Return a number from 0 to 999,999,999; None for any other text in the address."""
    # "²" is a digit, too, and no number; thousands of digits are one that Python refuses to read.
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
