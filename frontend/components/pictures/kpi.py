"""Single numbers with a label, and lists of names with values."""

from __future__ import annotations

from collections.abc import Iterable

from dash import html
from dash.development.base_component import Component

from frontend.figures.numbers import NO_BREAK, split_si


def kpi(
    label: str,
    value: str,
    unit: str = "",
    extra: Component | None = None,
    title: str = "",
    sign: Component | None = None,
) -> html.Div:
    """Return a label above a number; `extra` (a sparkline) stands next to the number, `sign` (of its certainty) before it."""
    number = html.Span(
        [*([] if sign is None else [sign]), value, html.Small(NO_BREAK + unit) if unit else ""], className="v num"
    )
    given = {"title": title} if title else {}
    body = html.Div([number, extra], className="row") if extra is not None else number
    return html.Div([html.Span(label, className="l"), body], className="kpi", **given)


def kpi_si(
    label: str,
    value: float | None,
    unit: str,
    extra: Component | None = None,
    digits: int = 3,
    note: str = "",
    sign: Component | None = None,
) -> html.Div:
    """Return a KPI of a value in its stored unit; the exact value, and `note`, are the hint on hover."""
    number, shown_unit = split_si(value, unit, digits)
    title = f"{label}: {value!r} {unit}".strip() if value is not None else f"{label}: not known"
    return kpi(label, number, shown_unit, extra, f"{title}. {note}" if note else title, sign)


def pairs(items: Iterable[tuple[str, Component | str]]) -> html.Dl:
    """Return the names at the left, values at the right."""
    return html.Dl([part for name, value in items for part in (html.Dt(name), html.Dd(value))], className="kv")
