"""Sparklines beside numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dash import html

from frontend.figures.numbers import MISSING
from frontend.figures.sparkline import sparkline_mask


def spark(values: Sequence[float], *, summary: str, width_px: int = 84, height_px: int = 22) -> html.Span:
    """A sparkline in the colour of the text around it; "–" where no value is finite. `summary` is read out."""
    if not np.isfinite(np.asarray(values, dtype=np.float64)).any():
        return html.Span(MISSING, className="t3")
    mask = sparkline_mask(values, width_px, height_px)
    style = {"width": width_px, "height": height_px, "WebkitMaskImage": mask, "maskImage": mask}
    return html.Span(className="spark", style=style, role="img", **{"aria-label": summary})
