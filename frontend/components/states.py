"""States of a card without content: nothing yet, loading, infeasible, failed, connection lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Infeasibility
from frontend.components.card import card_title
from frontend.components.chip import chip
from frontend.components.icon import icon as draw_icon
from frontend.figures.numbers import amount

Tone = Literal["plain", "warn", "bad"]


def empty_state(
    icon: str,
    title: str,
    words: Component | str = "",
    actions: Sequence[Component] = (),
    *,
    level: Literal[1, 2, 3] = 2,
) -> html.Div:
    """Return an empty state: the reason in one sentence, and the next step.

    Args:
        icon: name of the icon.
        title: name of the missing value.
        words: why, and where it comes from.
        actions: controls, the one that helps most first.
        level: level of the heading; 1 where the page has no other, 3 within a card that has a title.
    """
    return html.Div(
        [
            draw_icon(icon, "l", "t3"),
            html.H1(title) if level == 1 else card_title(title, level=level),
            html.Div(words, className="sm t2 words") if words else None,
            html.Div(list(actions), className="actions") if actions else None,
        ],
        className="state",
    )


def skeleton(height_px: int, width: str = "100%") -> html.Div:
    """Return a grey block in the place and size of what is being loaded."""
    return html.Div(className="sk", style={"height": height_px, "width": width}, **{"aria-hidden": "true"})


def skeleton_rows(count: int, row_height_px: int = 36) -> html.Div:
    """Return the skeleton of a table."""
    return html.Div([skeleton(row_height_px - 12) for _ in range(count)], className="stack", **{"aria-busy": "true"})


def notice(*words: Component | str, tone: Tone = "plain", icon: str = "") -> html.Div:
    """Return a boxed remark."""
    picture = icon or ("info-circle" if tone == "plain" else "alert-triangle")
    return html.Div(
        [draw_icon(picture, "s"), html.Span(list(words))], className="notice" if tone == "plain" else f"notice {tone}"
    )


def infeasible_state(infeasible: Infeasibility, facts: str = "", remedies: Sequence[Component] = ()) -> html.Div:
    """Return the card of an infeasible run: limit, demand, gap and remedies.

    Args:
        infeasible: as the engine reported it.
        facts: run and time, shown next to the chip.
        remedies: one control per remedy, in the order of `infeasible.remedies`; without them the field is named.
    """
    unit = infeasible.unit
    cells = [
        infeasible.limit,
        *[amount(value, unit) for value in (infeasible.demand, infeasible.bound, infeasible.gap)],
    ]
    heads = ("Limits of this item", "Needed", "Limit", "Gap")
    table = html.Table(
        [
            html.Thead(html.Tr([html.Th(head, className="r" if i else "") for i, head in enumerate(heads)])),
            html.Tbody(html.Tr([html.Td(c, className="r num" if i else "") for i, c in enumerate(cells)])),
        ],
        className="t",
    )
    mends = [
        html.Div(
            [
                draw_icon("arrow-right", "s", "t3"),
                html.Span(words, className="sm"),
                html.Span(className="sp"),
                remedies[i] if i < len(remedies) else html.Span(field, className="mono t3"),
            ],
            className="row",
        )
        for i, (words, field) in enumerate(infeasible.remedies)
    ]
    mark = chip("Infeasible", tone="warn", icon="alert-triangle")
    head = html.Div([mark, html.Span(facts, className="sm t3 num")], className="row")
    title = [html.Div("How to fix it", className="b sm")] if mends else []
    return html.Div([head, table, *title, *mends], className="stack")


def failed_state(
    what: str, where: str = "", kept: str = "", trace: str = "", actions: Sequence[Component] = (), facts: str = ""
) -> html.Div:
    """Return the card of a failed run: cause, place, stored data, next steps and the last line of the log.

    Args:
        what: one sentence.
        where: the place in the code or the worker.
        kept: stored data that is not lost.
        trace: the log's last lines.
        actions: controls, the one that continues first.
        facts: run, share done, attempt; next to the chip.
    """
    head = html.Div([chip("Failed", tone="bad", icon="x"), html.Span(facts, className="sm t3 num")], className="row")
    parts: list[Any] = [head, html.Div(what, className="m5")]
    parts += [html.Div(" ".join(p for p in (where, kept) if p), className="sm t2")] if where or kept else []
    parts += [html.Div(trace, className="mono trace-line")] if trace else []
    parts += [html.Div(list(actions), className="row")] if actions else []
    return html.Div(parts, className="stack")
