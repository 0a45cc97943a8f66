"""Whole numbers in sentences, as every page and every engine writes them."""

from __future__ import annotations

THIN_SPACE = "\u2009"


def counted(value: float) -> str:
    """A whole number with a thin space between thousands: "84 934 656"; what has decimals is rounded."""
    return f"{value:,.0f}".replace(",", THIN_SPACE)
