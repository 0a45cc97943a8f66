"""Limits in the unit that quantities are shown in: seconds as milliseconds, joules as millijoules."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context

NO_BREAK = "\u00a0"
SHOWN_UNITS = {"s": "ms", "J": "mJ"}
_DIGITS = 4


def in_thousandths(value: float, unit: str) -> str:
    """Return 0.0232897 s as "23.29 ms" and joules as mJ, with four digits, rounded up: as a limit it can be kept."""
    rounded = Context(prec=_DIGITS, rounding=ROUND_CEILING).create_decimal(repr(value)).scaleb(3)
    return f"{rounded.normalize():f}{NO_BREAK}{SHOWN_UNITS[unit]}"
