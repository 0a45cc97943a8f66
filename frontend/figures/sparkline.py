"""Sparklines as SVG paths: one line without axes, the last value as a dot."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import numpy as np

_MARGIN_PX = 3.0


def sparkline_path(values: Sequence[float], width_px: int, height_px: int) -> tuple[str, tuple[float, float]]:
    """Return the line through `values` from left to right, lowest value at the bottom.

    Args:
        values: at even distances; NaN is left out. At least one finite value.
        width_px: width of the picture.
        height_px: height of the picture.

    Returns:
        The `d` of an SVG path and the point of the last value.

    Raises:
        ValueError: if no value is finite.
    """
    array = np.asarray(values, dtype=np.float64)
    kept = np.flatnonzero(np.isfinite(array))
    if not kept.size:
        raise ValueError("A sparkline needs at least one finite value.")
    y = array[kept]
    span = float(np.ptp(y))
    rising = (y - y.min()) / span if span else np.full(y.shape, 0.5)
    x = _MARGIN_PX + (width_px - 2 * _MARGIN_PX) * (kept / max(1, len(array) - 1))
    y = height_px - _MARGIN_PX - (height_px - 2 * _MARGIN_PX) * rising
    points = [(round(float(a), 1), round(float(b), 1)) for a, b in zip(x, y, strict=True)]
    return "M" + "L".join(f"{a:g} {b:g}" for a, b in points), points[-1]


def sparkline_mask(values: Sequence[float], width_px: int = 84, height_px: int = 22) -> str:
    """Return the sparkline as a `url(...)` for `mask-image`, so that it takes the colour of the current scheme."""
    path, (x, y) = sparkline_path(values, width_px, height_px)
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width_px} {height_px}'>"
        f"<path d='{path}' fill='none' stroke='black' stroke-width='1.4' stroke-linejoin='round'/>"
        f"<circle cx='{x:g}' cy='{y:g}' r='2'/></svg>"
    )
    return f'url("data:image/svg+xml,{quote(svg, safe=" =/:,().")}")'
