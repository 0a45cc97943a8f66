"""The rail of the run page: limits with histograms, what is shown, and the short list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.contract.quantities import Quantity
from frontend.components.button import button
from frontend.components.card import card_title
from frontend.components.icon import icon
from frontend.components.states import empty_state
from frontend.designs.obstacles import nearest_design, obstacle
from frontend.designs.run_designs import LimitScale, Region, RunDesigns
from frontend.designs.run_words import dominated_sentence
from frontend.figures.front.front import has_equal_product
from frontend.figures.numbers import integer, many, scale_of, si, significant
from frontend.ids.run import RunIds
from frontend.pages.run.front.choices import HIDEABLE, Choices
from frontend.pages.run.front.short_list import short_list_section

if TYPE_CHECKING:
    from frontend.pages.run.front.query import FrontQuery

_SLIDER_STEPS = 500
_SWITCHES = {
    "dominated": "Dominated designs",
    "infeasible": "Infeasible designs",
    "baselines": "Baselines",
    "points": "Ideal, nadir, reference",
    "products": "Equal-EDP lines",
}


def rail(designs: RunDesigns, asked: FrontQuery, remaining: Any) -> Component:
    """Return the rail as the page opens; `remaining` says how many designs pass."""
    reset = html.Button("Reset", id=RunIds.LIMIT_RESET, className="link", type="button")
    return html.Aside(
        [
            html.Div([card_title("Constraints"), html.Span(className="sp"), reset, _close_button()], className="row"),
            html.Div(remaining, id=RunIds.REMAINING, className="run-remaining", **{"aria-live": "polite"}),
            html.Div(limit_box(designs.scales, asked.limits), id=RunIds.LIMIT_BOX, className="stack g12"),
            html.Hr(className="hr"),
            card_title("Show"),
            switches(designs, asked.choices),
            html.Hr(className="hr"),
            *short_list_section(designs, asked.limits, asked.region, asked.ranking, asked.selection["design"]),
        ],
        className="card run-rail",
        **{"aria-label": "Constraints and short list"},
    )


def open_rail_button() -> Component:
    """Open the rail where the window is too narrow for it to stand next to the figures."""
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


def switches(designs: RunDesigns, choices: Choices) -> Component:
    """Return the switches for the optional layers of the front that this run has."""
    hidden = switches_hidden(designs, choices.x, choices.y)
    boxes = [
        html.Div(
            dmc.Switch(
                id={"type": RunIds.SHOW_TYPE, "name": name},
                label=_SWITCHES[name],
                checked=name not in choices.hidden,
                size="xs",
                color="accent",
                withThumbIndicator=False,
            ),
            hidden=absent,
            id={"type": RunIds.SHOW_BOX_TYPE, "name": name},
        )
        for name, absent in zip(HIDEABLE, hidden, strict=True)
    ]
    return html.Div(boxes, className="stack run-switches")


def switches_hidden(designs: RunDesigns, x: str, y: str) -> list[bool]:
    """Return for each of `HIDEABLE` whether the front over the quantities `x` and `y` has none of it to show."""
    absent = {
        "infeasible": bool(designs.feasible.all()),
        "baselines": not designs.is_baseline.any(),
        "products": not has_equal_product(designs.quantity(x), designs.quantity(y)),
    }
    return [absent.get(name, False) for name in HIDEABLE]


# -- limits -----------------------------------------------------------------------------------------------------------


def limit_box(scales: Sequence[LimitScale], limits: Mapping[str, float]) -> list[Component]:
    """Return one slider per quantity over the histogram of the searched designs."""
    return [_limit(scale, limits.get(scale.quantity.name, scale.open_end)) for scale in scales]


def _limit(scale: LimitScale, value: float) -> Component:
    name = scale.quantity.name
    head = html.Div(
        [
            html.Span(
                [scale.quantity.title, html.Span(range_text(scale), className="t3 xs num limit-range")],
                className="m5 el",
                title=scale.quantity.title,
            ),
            html.Span(
                limit_text(scale.quantity, value),
                id={"type": RunIds.LIMIT_TEXT_TYPE, "name": name},
                className="num m5 nw",
            ),
        ],
        className="row between limit-head",
    )
    slider = dmc.Slider(
        id={"type": RunIds.LIMIT_TYPE, "name": name, "end": "upper" if scale.upper else "lower"},
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
        html.Div(style={"clipPath": histogram(scale)}),
        id={"type": RunIds.HISTOGRAM_TYPE, "name": name},
        className="hist cut " + ("upper" if scale.upper else "lower"),
        style=cut_style(scale, value),
        **{"aria-hidden": "true"},
    )
    return html.Div([head, bars, slider], className="limit")


def histogram(scale: LimitScale) -> str:
    """Return the outline of a bar per bin as a clip path; heights by square root, so that rare values show.

    One element: a component per bar would slow every click on the page.
    """
    most, width = max(scale.counts, default=0) or 1, 100 / max(1, len(scale.counts))
    corners = []
    for at, count in enumerate(scale.counts):
        top = 100 - max(4.0, 100 * (count / most) ** 0.5 if count else 4.0)
        left, right = at * width, (at + 0.86) * width
        corners += [(left, 100.0), (left, top), (right, top), (right, 100.0)]
    return "polygon(" + ", ".join(f"{x:.1f}% {y:.0f}%" for x, y in corners) + ")"


def cut_style(scale: LimitScale, limit: float) -> dict[str, str]:
    """Return the style property at which the histogram's bars turn pale, so that a drag sends no bars."""
    return {"--cut": f"{100 * (limit - scale.low) / (scale.high - scale.low):.1f}%"}


def limits_of(scales: Sequence[LimitScale], limits: Mapping[str, float]) -> dict[str, float]:
    """Return the limits without those at the open end of their slider, which exclude nothing."""
    ends = {scale.quantity.name: scale.open_end for scale in scales}
    return {name: value for name, value in limits.items() if ends.get(name) != value}


def limit_text(quantity: Quantity, value: float) -> str:
    """Return the limit in words: "≤ 1.90 s"."""
    return f"{'≥' if quantity.sense == 'maximise' else '≤'} {si(value, quantity.unit)}"


def range_text(scale: LimitScale) -> str:
    """Return the range of the slider, both ends in one unit: "1.09–2.4 s"."""
    shown = scale_of([scale.low, scale.high], scale.quantity.unit)
    low, high = significant(scale.low * shown.factor), significant(scale.high * shown.factor)
    return f"{low}–{high}" + (f"\u00a0{shown.unit}" if shown.unit else "")


def remaining_words(designs: RunDesigns, remain: int, live: bool, lasso: bool = False) -> list[Component]:
    """Return the number of designs within limits and lasso, with the way to remove a lasso."""
    noun = "design" if len(designs) == 1 else "designs"
    words = f" of {integer(len(designs))} {noun} " + ("so far" if live else "remains" if remain == 1 else "remain")
    shown: list[Component] = [
        html.Span(integer(remain), className="b num remaining"),
        html.Span(words, className="sm t2"),
    ]
    if lasso:
        clear = {"type": RunIds.CLEAR_REGION, "name": "rail"}
        link = html.Button("Clear", id=clear, className="link", type="button")
        shown.append(html.Div(["Only inside the lasso. ", link], className="xs t2"))
    dominated_by_baselines = dominated_sentence(designs)
    if dominated_by_baselines:
        shown.append(html.Div(f"On the front, {dominated_by_baselines} (grey)", className="xs t2"))
    return shown


def nothing_left(designs: RunDesigns, limits: Mapping[str, float], region: Region | None) -> Component:
    """Return the violated limit with the button that mends it, and the nearest design."""
    found = obstacle(designs, limits, region)
    back = html.Button("Undo", className="btn small", type="button", title="Ctrl+Z", **{"data-undo": ""})
    if region is not None and designs.remaining(limits).any():
        clear = button(
            "Clear the lasso", id={"type": RunIds.CLEAR_REGION, "name": "over"}, kind="primary", size="small"
        )
        words = "The lasso excludes every design that meets the limits."
        return empty_state("adjustments-horizontal", "No design meets all constraints", words, [clear, back], level=3)
    nearest = _nearest(designs, limits)
    if found is None:
        words = "No single limit excludes all designs: reset to see all of them."
        return empty_state(
            "adjustments-horizontal", "No design meets all constraints", words, [*nearest, back], level=3
        )
    unit, relaxed = found.quantity.unit, si(found.needed, found.quantity.unit, 4)
    sign = "≥" if found.quantity.sense == "maximise" else "≤"
    sentence: list[Any] = [
        html.Span(f"{found.quantity.title} {sign} {si(found.limit, unit)}", className="b"),
        f" excludes all designs. The best design that meets the other limits has {relaxed}.",
    ]
    count = many(found.would_remain, "design")
    mend = button(
        f"Relax to {relaxed}: {count}",
        id={"type": RunIds.RELAX_TYPE, "name": found.quantity.name},
        kind="primary",
        size="small",
    )
    actions = [mend, *nearest, back]
    return empty_state(
        "adjustments-horizontal", "No design meets all constraints", html.Span(sentence), actions, level=3
    )


def _nearest(designs: RunDesigns, limits: Mapping[str, float]) -> list[Component]:
    """Return the button that selects the design nearest to all limits."""
    number = nearest_design(designs, limits)
    if number is None:
        return []
    missed = [
        f"{designs.quantity(name).title} {si(designs.columns[name][number], designs.quantity(name).unit, 4)}"
        for name, limit in limits.items()
        if not designs.remaining({name: limit})[number]
    ]
    pick = {"type": RunIds.SHORT_ROW_TYPE, "number": number}
    return [button(f"Nearest: design {number}", id=pick, size="small", title=", ".join(missed))]
