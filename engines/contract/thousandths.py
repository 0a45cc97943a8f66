"""Limits in the unit that quantities are shown in: seconds as milliseconds, joules as millijoules; and what rules one out."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context

from engines.contract.engine import PlanCheck

NO_BREAK = "\u00a0"
SHOWN_UNITS = {"s": "ms", "J": "mJ"}
_DIGITS = 4


def in_thousandths(value: float, unit: str) -> str:
    """0.0232897 s as "23.29 ms" and joules as mJ, with four digits, rounded up: as a limit it can be kept."""
    rounded = Context(prec=_DIGITS, rounding=ROUND_CEILING).create_decimal(repr(value)).scaleb(3)
    return f"{rounded.normalize():f}{NO_BREAK}{SHOWN_UNITS[unit]}"


def ruled_out(quantity: str, limit: float | None, least: float, unit: str, things: str) -> tuple[PlanCheck, ...]:
    """The line of "Will it fit?" for a limit below what is known to be the least; none for any other limit.

    Args:
        quantity: "Latency".
        limit: what is allowed at most, in `unit`; None for no limit.
        least: a lower bound of everything that may be found, in `unit`.
        unit: "s" or "J".
        things: what the bound holds for, "mappings".
    """
    if limit is None or limit >= least:
        return ()
    allowed = in_thousandths(limit, unit)
    words = f"{quantity} of at most {allowed}: no {things} need less than {in_thousandths(least, unit)}"
    return (PlanCheck(False, words, hopeless=True),)
