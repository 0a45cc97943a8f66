"""Legends: models are solid swatches, hardware patterned ones, link load a ramp."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dash import html

from frontend.figures.drawing import short_names
from frontend.figures.numbers import si
from frontend.theme import HARDWARE, MODELS, hardware_style


def model_swatch(position: int) -> html.Span:
    """Return the square of the model at `position` (from 0) of its workload."""
    return html.Span(className=f"sw m{min(position, len(MODELS) - 1)}", **{"aria-hidden": "true"})


def hardware_swatch(kind: str) -> html.Span:
    """Return the square of a dataflow or unit."""
    return html.Span(className=f"sw pat-{kind if kind in HARDWARE else 'dram'}", **{"aria-hidden": "true"})


def model_legend(models: Sequence[str]) -> html.Div:
    """Return the short and full names of the models of a workload, in its order."""
    entries = [
        html.Span([model_swatch(i), *([html.Span(code, className="b")] if code != name else []), name], title=name)
        for i, (name, code) in enumerate(zip(models, short_names(models), strict=True))
    ]
    return html.Div(entries, className="leg models")


def hardware_legend(kinds: Iterable[str]) -> html.Div:
    """Return the names of the dataflows, each once, in their first order."""
    unique = list(dict.fromkeys(kinds))
    return html.Div(
        [html.Span([hardware_swatch(kind), hardware_style(kind).label]) for kind in unique], className="leg"
    )


def load_legend(largest_bytes: float) -> html.Div:
    """Return the ramp of link loads from nothing to the largest."""
    words = html.Span(f"0 – {si(largest_bytes, 'B')}", className="num")
    return html.Div(html.Span(["link load", html.Span(className="ramp"), words]), className="leg")
