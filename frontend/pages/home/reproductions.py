"""The reproductions on Home: a line per method, with how many published values agree. The page does not wait for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dash import Input, Output, callback, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.registry import get_engine
from engines.reproduction.comparisons import compared
from engines.reproduction.reproductions import reproducible_engines
from engines.reproduction.verdicts import verdict_counts
from frontend.components.name import cut_name
from frontend.components.states import skeleton
from frontend.ids.home import HomeIds
from frontend.request import current_user
from webapp.reproductions.service import ReproductionSummary, shown

_LINE_PX = 34


@dataclass(frozen=True)
class Agreement:
    """Agreement with the publications of a method, without cross-checks and values that are not counted.

    Attributes:
        engine: name of the method.
        agree: published values that ours agrees with, without fitting.
        fitted: those that were used for fitting, or for choosing a form or a reading.
        explained: those that differ for a known reason.
        unexplained: those that differ for no known reason.
        undecided: bounds that ours is too near to.
        missing: values and trends that were not computed yet.
        trends: those without a printed number.
        same_direction: trends in which the same side wins.
        undecided_trends: trends whose side another seed or processor may change.
    """

    engine: str
    agree: int
    fitted: int
    explained: int
    unexplained: int
    undecided: int
    missing: int
    trends: int
    same_direction: int
    undecided_trends: int

    @property
    def values(self) -> int:
        """The number of published values that are compared; values without a published number are excluded."""
        return self.agree + self.fitted + self.explained + self.unexplained + self.undecided + self.missing

    @property
    def share(self) -> float:
        """Return the share of the values that agree; 0 without values."""
        return self.agree / self.values if self.values else 0.0


def agreement_of(found: ReproductionSummary) -> Agreement:
    """Return the counts of a method."""
    rows = compared(found.rows)
    values, trends = (verdict_counts(rows, found.computed, fact) for fact in ("value", "trend"))
    return Agreement(
        found.engine,
        agree=values.get("agrees", 0),
        fitted=values.get("fitted", 0),
        explained=values.get("differs (explained)", 0),
        unexplained=values.get("differs (unexplained)", 0),
        undecided=values.get("undecided", 0),
        missing=values.get("not computed", 0),
        trends=sum(trends.values()),
        same_direction=trends.get("same direction", 0),
        undecided_trends=trends.get("undecided", 0),
    )


def reproductions_section() -> Component:
    """Return the place of the lines, with their skeletons."""
    blocks = [skeleton(_LINE_PX) for _ in reproducible_engines()]
    return html.Section(
        [_head([]), html.Div(blocks, className="card repro-lines")],
        id=HomeIds.REPRODUCTIONS,
        className="home-reproductions",
        **{"aria-label": "Reproductions"},
    )


@callback(Output(HomeIds.REPRODUCTIONS, "children"), Input(HomeIds.REPRODUCTIONS, "id"))
def show_reproductions(_id: str) -> Any:
    """Return the lines, the methods whose values agree most first."""
    if not current_user().is_authenticated:
        raise PreventUpdate
    found = sorted((agreement_of(shown(engine)) for engine in reproducible_engines()), key=lambda each: -each.share)
    return [_head(found), html.Div([_line(each) for each in found], className="card repro-lines")]


def _head(found: list[Agreement]) -> Component:
    summary = _summary(found) if found else "published and computed values"
    return html.Div(
        [
            html.H2("Reproductions"),
            html.Span(summary, className="sm t2"),
            html.Span(className="sp"),
            dcc.Link("See all", href="/reproductions", className="sm"),
        ],
        className="row g12 wrap home-reproductions-head",
    )


def _summary(found: list[Agreement]) -> str:
    values, trends = sum(each.values for each in found), sum(each.trends for each in found)
    agree, same = sum(each.agree for each in found), sum(each.same_direction for each in found)
    return (
        f"{agree} of {values} published values agree with the computed ones · {same} of {trends} trends have "
        "the same direction"
    )


def _line(found: Agreement) -> Component:
    engine = get_engine(found.engine)
    others = [
        (found.fitted, "fitted"),
        (found.explained, "differ (explained)"),
        (found.undecided, "undecided"),
        (found.missing, "not computed"),
    ]
    words = [html.Span(f"{count} {what}", className="nw") for count, what in others if count]
    if found.unexplained:
        words.append(html.Span(f"{found.unexplained} differ (unexplained)", className="nw repro-count bad"))
    if found.trends:
        noise = f", {found.undecided_trends} undecided" if found.undecided_trends else ""
        trends = f"{found.same_direction} of {found.trends} trends in the same direction{noise}"
        words.append(html.Span(trends))
    return dcc.Link(
        [
            cut_name(engine.title, "m5"),
            html.Div(
                [
                    html.Span(className=name, style={"flexGrow": count})
                    for name, count in (
                        ("good", found.agree), ("warn", found.fitted),
                        ("", found.explained + found.undecided + found.missing), ("bad", found.unexplained),
                    )
                    if count
                ],
                className="repro-bar",
                **{"aria-hidden": "true"},
            ),
            html.Div(
                [
                    html.Span(f"{found.agree} of {found.values} agree", className="nw m5 num"),
                    html.Span(words, className="xs t3 row g8 wrap"),
                ],
                className="repro-line-words sm",
            ),
        ],
        href=f"/reproductions/{found.engine}",
        title=engine.source,
        className="repro-line",
    )  # fmt: skip
