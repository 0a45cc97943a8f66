"""The rail of the run page: limits with histograms, what is shown, and the short list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.icon import icon
from frontend.components.states import empty_state
from frontend.figures.numbers import decimals_for, fixed, integer, scale_of, si, significant
from frontend.ids.run import RunIds
from frontend.pages.run_data import LimitScale, Obstacle, RunDesigns, limit_scales
from frontend.pages.run_words import outdone_words

SWITCHES = (("dominated", "Dominated designs"), ("baselines", "Baselines"), ("products", "Equal-EDP lines"))
SHORT_LIST = 5
_SLIDER_STEPS = 500


def rail(designs: RunDesigns, remaining: Any, selected: int | None) -> Component:
    """The rail as the page opens: no limits set, what `remaining` says of the designs, the design `selected` marked."""
    data = [
        {"value": quantity.name, "label": quantity.title} for quantity in designs.quantities if quantity.sense != "none"
    ]
    reset = html.Button("Reset", id=RunIds.LIMIT_RESET, className="link", type="button")
    by = designs.primary or (data[0]["value"] if data else None)
    short_by = dmc.Select(
        id=RunIds.SHORT_BY,
        data=data,
        value=by,
        allowDeselect=False,
        size="xs",
        w=96,
        **{"aria-label": "Short list by"},
    )
    return html.Aside(
        [
            html.Div([html.H3("Constraints"), html.Span(className="sp"), reset, _close_button()], className="row"),
            html.Div(remaining, id=RunIds.REMAINING, className="run-remaining", **{"aria-live": "polite"}),
            html.Div(limit_box(limit_scales(designs), {}), id=RunIds.LIMIT_BOX, className="stack g12"),
            html.Hr(className="hr"),
            html.H3("Show"),
            switches(),
            html.Hr(className="hr"),
            html.Div(
                [html.H3("Short list"), html.Span(className="sp"), html.Span("by", className="sm t3"), short_by],
                className="row g4",
            ),
            html.Div(short_list(designs, {}, by, selected), id=RunIds.SHORT_LIST),
        ],
        className="card run-rail",
        **{"aria-label": "Constraints and short list"},
    )


def open_rail_button() -> Component:
    """Opens the rail where the window is too narrow for it to stand beside the figures."""
    return html.Button(
        icon("adjustments-horizontal"),
        className="ib narrow-only",
        type="button",
        title="Constraints and short list",
        **{"aria-label": "Constraints and short list", "aria-expanded": "false", "data-open-rail": ""},
    )


def _close_button() -> Component:
    return html.Button(
        icon("x"), className="ib narrow-only", type="button", **{"aria-label": "Close", "data-close-rail": ""}
    )


def switches() -> Component:
    """What the front shows besides itself."""
    boxes = [
        dmc.Switch(
            id={"type": RunIds.SHOW_TYPE, "name": name},
            label=words,
            checked=True,
            size="xs",
            color="accent",
            withThumbIndicator=False,
        )
        for name, words in SWITCHES
    ]
    return html.Div(boxes, className="stack run-switches")


# -- limits -----------------------------------------------------------------------------------------------------------


def limit_box(scales: Sequence[LimitScale], limits: Mapping[str, float]) -> list[Component]:
    """One slider per quantity over the histogram of the searched designs."""
    return [_limit(scale, limits.get(scale.quantity.name, scale.open_end)) for scale in scales]


def _limit(scale: LimitScale, value: float) -> Component:
    name = scale.quantity.name
    head = html.Div(
        [
            html.Span(
                [scale.quantity.title, html.Span(range_text(scale), className="t3 xs num limit-range")],
                className="m5 el",
            ),
            html.Span(
                limit_text(scale, value), id={"type": RunIds.LIMIT_TEXT_TYPE, "name": name}, className="num m5 nw"
            ),
        ],
        className="row between limit-head",
    )
    slider = dmc.Slider(
        id={"type": RunIds.LIMIT_TYPE, "name": name},
        min=scale.low,
        max=scale.high,
        value=value,
        step=(scale.high - scale.low) / _SLIDER_STEPS,
        precision=12,
        label=None,
        size=4,
        thumbSize=14,
        inverted=not scale.upper,
        updatemode="drag",
        thumbLabel=f"{scale.quantity.title}, {'at most' if scale.upper else 'at least'}",
    )
    bars = html.Div(
        histogram(scale),
        id={"type": RunIds.HISTOGRAM_TYPE, "name": name},
        className="hist cut " + ("upper" if scale.upper else "lower"),
        style=cut_style(scale, value),
        **{"aria-hidden": "true"},
    )
    return html.Div([head, bars, slider], className="limit")


def histogram(scale: LimitScale) -> list[Component]:
    """A bar per bin; heights by square root, so that rare values show."""
    most = max(scale.counts, default=0) or 1
    heights = (max(4.0, 100 * (count / most) ** 0.5) if count else 4.0 for count in scale.counts)
    return [html.Div(style={"height": f"{height:.0f}%"}) for height in heights]


def cut_style(scale: LimitScale, limit: float) -> dict[str, str]:
    """Where the histogram's bars turn pale: a property of the style sheet, so that a drag sends no bars."""
    return {"--cut": f"{100 * (limit - scale.low) / (scale.high - scale.low):.1f}%"}


def limit_text(scale: LimitScale, value: float) -> str:
    """The limit in words: "≤ 1.90 s"."""
    return f"{'≤' if scale.upper else '≥'} {si(value, scale.quantity.unit)}"


def range_text(scale: LimitScale) -> str:
    """The range of the slider, both ends in one unit: "1.09–2.4 s"."""
    shown = scale_of([scale.low, scale.high], scale.quantity.unit)
    low, high = significant(scale.low * shown.factor), significant(scale.high * shown.factor)
    return f"{low}–{high}" + (f"\u00a0{shown.unit}" if shown.unit else "")


def remaining_words(designs: RunDesigns, remain: int, live: bool) -> list[Component]:
    """How many designs meet the limits."""
    noun = "design" if len(designs) == 1 else "designs"
    words = f" of {integer(len(designs))} {noun} " + ("so far" if live else "remains" if remain == 1 else "remain")
    shown: list[Component] = [
        html.Span(integer(remain), className="b num remaining"),
        html.Span(words, className="sm t2"),
    ]
    outdone = outdone_words(designs)
    if outdone:
        shown.append(html.Div(f"On the front, {outdone} (grey)", className="xs t2"))
    return shown


def nothing_left(found: Obstacle | None) -> Component:
    """Which limit is in the way and the button that mends it."""
    if found is None:
        words = "No single limit is in the way: reset to see all of them."
        return empty_state("adjustments-horizontal", "No design meets all constraints", words)
    unit, relaxed = found.quantity.unit, si(found.needed, found.quantity.unit, 4)
    sign = "≥" if found.quantity.sense == "maximise" else "≤"
    sentence: list[Any] = [
        html.Span(f"{found.quantity.title} {sign} {si(found.limit, unit)}", className="b"),
        f" is in the way. The best design has {relaxed}.",
    ]
    designs = "1 design" if found.would_remain == 1 else f"{integer(found.would_remain)} designs"
    mend = button(
        f"Relax to {relaxed}: {designs}",
        id={"type": RunIds.RELAX_TYPE, "name": found.quantity.name},
        kind="primary",
        size="small",
    )
    back = html.Button("Undo", className="btn small", type="button", title="Ctrl+Z", **{"data-undo": ""})
    return empty_state("adjustments-horizontal", "No design meets all constraints", html.Span(sentence), [mend, back])


# -- short list -------------------------------------------------------------------------------------------------------


def short_list(
    designs: RunDesigns, limits: Mapping[str, float], by: str | None, selected: int | None
) -> Component | None:
    """The best designs of the front that meet the limits: rank, objectives, and the metric `by` which they are ordered."""
    if not by or by not in designs.columns:
        return None
    numbers = [int(number) for number in designs.short_list(by, designs.remaining(limits), SHORT_LIST)]
    if not numbers:
        return html.Div("No design yet", className="sm t3")
    shown = [*[quantity for quantity in designs.objectives if quantity.name != by][:2], designs.quantity(by)]
    scales = [scale_of([designs.columns[q.name][n] for n in numbers], q.unit) for q in shown]
    decimals = [
        decimals_for((designs.columns[q.name][n] * scale.factor for n in numbers), 3 if q.name == by else 4)
        for q, scale in zip(shown, scales, strict=True)
    ]
    rows = []
    for rank, number in enumerate(numbers, start=1):
        cells = [html.Td(html.Span(rank, className="t3 num"))]
        for quantity, scale, places in zip(shown, scales, decimals, strict=True):
            text = fixed(designs.columns[quantity.name][number] * scale.factor, places)
            unit = f" {scale.unit}" if quantity.name != by else ""
            cells.append(html.Td(text + unit, className="r num b" if quantity.name == by else "r num"))
        rows.append(
            html.Tr(
                cells,
                id={"type": RunIds.SHORT_ROW_TYPE, "number": int(number)},
                className="click sel" if number == selected else "click",
                title=f"Design {number}",
            )
        )
    return html.Table(html.Tbody(rows), className="t tight short-list")
