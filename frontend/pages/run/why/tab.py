"""The tab *Why*: the parts of a metric of the selected design, idle times, and limiting factors."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.results import Result
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import engine_of
from frontend.figures.costs.waterfall import waterfall_figure
from frontend.figures.numbers import in_sentence, integer, percent
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.ids.why import WhyIds
from frontend.pages.run.design.card import design_name
from frontend.pages.run.run_reader import bounds_of, designs_of, explained, open_run, schedule_of
from frontend.pages.run.tab import RunTab, TabQuery, results_of_design
from frontend.pages.run.why.changes_view import changes_card
from frontend.pages.run.why.limiting_factors import (
    LimitingFactor,
    busiest_of,
    limits_of,
    proven_of,
    waiting_of,
    waiting_words,
)
from frontend.pages.run.why.metric_parts import (
    Reference,
    change_words,
    compared,
    counts_of,
    made_of_words,
    offered_columns,
    references,
    usual_reference,
)
from frontend.theme import Scheme
from webapp.runs.models import Run

_MOST_LANES = 12
_NO_PARTS = "This engine has no breakdown of its metrics."


def why_panel(asked: TabQuery) -> Component:
    """Return the tab for the selected design."""
    results = results_of_design(asked)
    if not isinstance(results, tuple) or asked.design is None:
        assert isinstance(results, Component)
        return results
    designs = designs_of(asked.run)
    side = html.Div(
        [_binding_card(asked.run, designs, asked.design, results), _waiting_card(results)], className="stack g12"
    )
    content = made_of_card(asked.run, asked.design, asked.pinned, asked.why, asked.scheme)
    place = html.Div(content, id=WhyIds.MADE_OF)
    title = f"Breakdown of {design_name(designs, asked.design)}"
    made_of = card(title, place, actions=[figure_menu()], flush=True)
    main = html.Div([made_of, changes_card(designs)], className="stack g12")
    return html.Div([main, side], className="why-cards")


# -- what a figure is made of -----------------------------------------------------------------------------------------


def made_of_card(
    run: Run, number: int, pinned: int | None, chosen: tuple[str, str, str], scheme: Scheme
) -> list[Component]:
    """Return the card of a metric's parts: selectors, sentences and waterfall.

    Of the usual where the choice is none that there is.
    """
    designs = designs_of(run)
    offered = offered_columns(engine_of(run.engine), designs)
    if not offered:
        return [notice(_NO_PARTS)]
    of = chosen[0] if chosen[0] in offered else next(iter(offered))
    declared = next((each for each in offered[of] if each.title == chosen[1]), offered[of][0])
    beside = references(designs, number, pinned, of)
    other = next((each for each in beside if each.name == chosen[2]), usual_reference(beside, designs, number, of))
    choices = html.Div(
        [
            _select(WhyIds.OF, "Figure", of, [(column, designs.quantity(column).title) for column in offered], 150),
            _select(WhyIds.HOW, "Parts", declared.title, [(each.title, each.title) for each in offered[of]], 160),
            html.Span("against", className="sm t2"),
            _select(WhyIds.AGAINST, "Against", other.name, [(each.name, each.title) for each in beside], 290),
        ],
        className="row g8 wrap why-words",
    )
    return [choices, _waterfall(run, designs, number, declared, other, scheme)]


def _select(name: WhyIds, label: str, value: str, data: list[tuple[str, str]], width_px: int) -> Component:
    given: Any = [{"value": each, "label": title} for each, title in data]
    return dmc.Select(
        id=name, value=value, data=given, size="xs", w=width_px, allowDeselect=False, **{"aria-label": label}
    )


def _waterfall(
    run: Run, designs: RunDesigns, number: int, declared: MetricBreakdown, other: Reference, scheme: Scheme
) -> Component:
    quantity = designs.quantity(declared.column)
    name, other_name = design_name(designs, number), "" if other.number is None else design_name(designs, other.number)
    try:
        others = () if other.number is None else explained(run, other.number)
        results = explained(run, number)
        parts = compared(declared, results, others)
    except LookupError:
        return notice(f"No breakdown of {in_sentence(quantity.title)} is available for this design.")
    except EngineError as error:
        return notice(str(error), tone="warn")
    words = [
        made_of_words(parts, quantity, name, counts_of(declared, results)),
        change_words(parts, quantity, other_name) if other_name else "",
    ]
    less = None if quantity.sense == "none" else quantity.sense == "minimise"
    picture = waterfall_figure(parts, name, other_name, quantity.unit, scheme, better_is_less=less)
    said = " ".join(word for word in words if word)
    return html.Div([html.P(said, className="why-words sm"), plot(picture, summary=said)])


# -- what binds, who waits --------------------------------------------------------------------------------------------


def _binding_card(run: Run, designs: RunDesigns, number: int, results: tuple[Result, ...]) -> Component:
    engine = engine_of(run.engine)
    limits = [] if engine is None else limits_of(engine, run.params, designs, number)
    proven = proven_of(bounds_of(run, designs), designs, designs.values_of(number))
    found = [*limits, *proven, *busiest_of(results)]
    found.sort(key=lambda each: (not each.binds, 2.0 if each.room is None else each.room))
    if not found:
        return card("Limiting factors", notice("The run has no limits, bounds or schedule that show limiting factors."))
    heads = [Column("What"), Column("It has", number=True), Column("Limit", number=True), Column("Room", number=True)]
    binding = [each.what for each in found if each.binds]
    words = f"At its limit: {'; '.join(map(in_sentence, binding))}." if binding else "Nothing is at its limit."
    table = html.Div(plain_table(heads, [_binding_row(each) for each in found], tight=True), className="table-scroll")
    return card("Limiting factors", html.P(words, className="sm why-words"), table, flush=True)


def _binding_row(each: LimitingFactor) -> list[Component | str]:
    what = html.B(each.what) if each.binds else each.what
    return [what, each.has, each.most or "–", percent(each.room, 1)]


def _waiting_card(results: tuple[Result, ...]) -> Component | None:
    waiting = waiting_of(schedule_of(results))
    if not waiting:
        return None
    heads = [Column("Row of the schedule"), Column("Waits", number=True), Column("")]
    rows: list[list[Component | str]] = [
        [each.title, percent(each.idle), _bar(each.idle)] for each in waiting[:_MOST_LANES]
    ]
    more = len(waiting) - len(rows)
    rest = html.P(f"{integer(more)} more wait less.", className="xs t3 pad") if more > 0 else None
    table = html.Div(plain_table(heads, rows, tight=True), className="table-scroll")
    return card(
        "Idle time by compute unit", html.P(waiting_words(waiting), className="sm why-words"), table, rest, flush=True
    )


def _bar(share: float) -> Component:
    return html.Div(
        html.Div(style={"width": f"{100 * share:.1f}%"}, className="why-fill"),
        className="why-bar",
        **{"aria-hidden": "true"},
    )


TAB = RunTab("why", "Why?", why_panel)


# -- callbacks --------------------------------------------------------------------------------------------------------


# What is chosen stands in the address; a link opens the same.
clientside_callback(
    ClientsideFunction("why", "chosen"),
    Output(WhyIds.CHOSEN, "data"),
    Input(WhyIds.OF, "value"),
    Input(WhyIds.HOW, "value"),
    Input(WhyIds.AGAINST, "value"),
    prevent_initial_call=True,
)


@callback(
    Output(WhyIds.MADE_OF, "children"),
    Input(WhyIds.CHOSEN, "data"),
    State(ShellIds.SCHEME, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.PIN, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_made_of(
    chosen: dict[str, str] | None, scheme: Any, selection: dict[str, Any] | None, pinned: int | None, run_id: int
) -> Any:
    """Return the figure that is chosen, in parts."""
    number = (selection or {}).get("design")
    if number is None:
        raise PreventUpdate
    asked = (chosen or {}).get("of", ""), (chosen or {}).get("how", ""), (chosen or {}).get("against", "")
    return made_of_card(open_run(run_id), int(number), pinned, asked, scheme)
