"""Sparklines next to numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dash import html

from frontend.figures.numbers import MISSING
from frontend.figures.sparkline import sparkline_mask

SPARK_POINTS = 32


def spark(values: Sequence[float], *, summary: str, width_px: int = 84, height_px: int = 22) -> html.Span:
    """Return a sparkline in the colour of the text around it; "–" where no value is finite. `summary` is read out."""
    if not np.isfinite(np.asarray(values, dtype=np.float64)).any():
        return html.Span(MISSING, className="t3")
    mask = sparkline_mask(values, width_px, height_px)
    style = {"width": width_px, "height": height_px, "WebkitMaskImage": mask, "maskImage": mask}
    return html.Span(className="spark", style=style, role="img", **{"aria-label": summary})


def thinned(values: Sequence[float], most: int = SPARK_POINTS) -> list[float]:
    """Return at most `most` of `values`, evenly spread, first and last kept, rounded to what a sparkline can show."""
    if len(values) > most:
        values = [values[round(position * (len(values) - 1) / (most - 1))] for position in range(most)]
    return [float(f"{value:.5g}") for value in values]
