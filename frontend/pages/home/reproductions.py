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
from engines.reproduction.verdicts import AGREEING, headline_counts
from frontend.components.name import cut_name
from frontend.components.states import skeleton
from frontend.ids.home import HomeIds
from frontend.pages.reproduction.words import unexplained
from frontend.request import current_user
from webapp.reproductions.service import Shown, shown

_LINE_PX = 34


@dataclass(frozen=True)
class Agreement:
    """How far the values of a method agree with what was published.

    Attributes:
        engine: name of the method.
        agree: printed values that are met, and sides that win as said.
        fitted: met, but by a model that was fitted to such values.
        explained: those that differ for a reason that is told.
        unexplained: those that differ for none that is known.
        missing: those that were not computed yet.
    """

    engine: str
    agree: int
    fitted: int
    explained: int
    unexplained: int
    missing: int

    @property
    def rows(self) -> int:
        """All that are compared; values without a published number are not."""
        return self.agree + self.fitted + self.explained + self.unexplained + self.missing

    @property
    def share(self) -> float:
        """Of the rows, those that agree; 0 without rows."""
        return self.agree / self.rows if self.rows else 0.0


def agreement_of(found: Shown) -> Agreement:
    """The counts of a method."""
    rows = compared(found.rows)
    counts = headline_counts(rows, found.computed)
    unknown = len(unexplained(rows, found.computed))
    return Agreement(
        found.engine,
        sum(counts.get(verdict, 0) for verdict in AGREEING),
        counts.get("fit only", 0),
        counts.get("differs", 0) - unknown,
        unknown,
        counts.get("not computed", 0),
    )


def reproductions_section() -> Component:
    """The place of the lines, with their skeletons."""
    blocks = [skeleton(_LINE_PX) for _ in reproducible_engines()]
    return html.Section(
        [_head([]), html.Div(blocks, className="card repro-lines")],
        id=HomeIds.REPRODUCTIONS,
        className="home-reproductions",
        **{"aria-label": "Reproductions"},
    )


@callback(Output(HomeIds.REPRODUCTIONS, "children"), Input(HomeIds.REPRODUCTIONS, "id"))
def show_reproductions(_id: str) -> Any:
    """The lines, the methods whose values agree most first."""
    if not current_user().is_authenticated:
        raise PreventUpdate
    found = sorted((agreement_of(shown(engine)) for engine in reproducible_engines()), key=lambda each: -each.share)
    return [_head(found), html.Div([_line(each) for each in found], className="card repro-lines")]


def _head(found: list[Agreement]) -> Component:
    rows, agree = sum(each.rows for each in found), sum(each.agree for each in found)
    told = f"{agree} of {rows} published values agree with ours" if found else "published values beside ours"
    return html.Div(
        [
            html.H2("Reproductions"),
            html.Span(told, className="sm t2"),
            html.Span(className="sp"),
            dcc.Link("See all", href="/reproductions", className="sm"),
        ],
        className="row g12 wrap home-reproductions-head",
    )


def _line(found: Agreement) -> Component:
    engine = get_engine(found.engine)
    others = [(found.fitted, "fitted"), (found.explained, "differ, told why"), (found.missing, "not computed yet")]
    words = [html.Span(f"{count} {what}", className="nw") for count, what in others if count]
    if found.unexplained:
        words.append(html.Span(f"{found.unexplained} differ, reason unknown", className="nw repro-count bad"))
    return dcc.Link(
        [
            cut_name(engine.title, "m5"),
            html.Div(
                [
                    html.Span(className=name, style={"flexGrow": count})
                    for name, count in (
                        ("good", found.agree), ("warn", found.fitted), ("", found.explained + found.missing),
                        ("bad", found.unexplained),
                    )
                    if count
                ],
                className="repro-bar",
                **{"aria-hidden": "true"},
            ),
            html.Div(
                [
                    html.Span(f"{found.agree} of {found.rows} agree", className="nw m5 num"),
                    html.Span(words, className="xs t3 row g8 wrap"),
                ],
                className="repro-line-words sm",
            ),
        ],
        href=f"/reproductions/{found.engine}",
        title=engine.source,
        className="repro-line",
    )  # fmt: skip
