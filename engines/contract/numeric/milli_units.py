"""Limits in the units of pages: milliseconds for seconds, millijoules for joules."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context

NO_BREAK = "\u00a0"
SHOWN_UNITS = {"s": "ms", "J": "mJ"}
_DIGITS = 4


def in_thousandths(value: float, unit: str) -> str:
    """Return seconds as ms and joules as mJ, rounded up to four digits so that it works as a limit: 0.0232897 s is "23.29 ms"."""
    rounded = Context(prec=_DIGITS, rounding=ROUND_CEILING).create_decimal(repr(value)).scaleb(3)
    return f"{rounded.normalize():f}{NO_BREAK}{SHOWN_UNITS[unit]}"
