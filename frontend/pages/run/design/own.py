"""A design of your own: an editable copy of the selected decision, evaluated like the designs of the run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import DecisionError, EngineError
from engines.contract.quantities import Quantity
from engines.contract.results import Note
from engines.exchange.schedule_differences import compare_costs
from engines.running.runner.limited_questions import explain_in_child
from frontend.components.button import button, icon_button
from frontend.components.chip import chip
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import integer, si
from frontend.ids.own_design import OwnDesignIds as Ids
from frontend.ids.run import RunIds
from frontend.pages.run.design.card import cost_row, design_name, refused
from frontend.pages.run.run_reader import designs_of, open_run
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.evaluation import DecisionScores, score_decisions

_LINE_CHARACTERS = 88
_TITLE = "Evaluate your own design"


def own_design_controls() -> list[Component]:
    """Return the part in the head of the selected design's card: the button, and the dialog that it opens (`assets/dialog.js`)."""
    opener = icon_button("edit", f"{_TITLE}, beginning with this one", id=Ids.OPEN)
    return [html.Span(opener, **{"data-opens": Ids.DIALOG}), _dialog()]


def _dialog() -> Component:
    head = html.Div(
        [
            html.H2(_TITLE, className="grow"),
            html.Span(icon_button("x", "Close"), **{"data-closes": ""}),
        ],
        className="row",
    )
    words = "Change the decisions of the selected design. The run's own problem evaluates it, and nothing is stored."
    decision: Component = dmc.Textarea(
        id=Ids.DECISION,
        value="",
        autosize=True,
        minRows=8,
        maxRows=22,
        spellCheck=False,
        classNames={"input": "mono"},
        **{"aria-label": "Decision as JSON"},
    )
    actions = html.Div(
        [
            button("Score", id=Ids.SCORE, kind="primary"),
            button("Reset", id=Ids.RESET, title="Reset to the selected design"),
            html.Span(id=Ids.STATE, className="sm t2", role="status"),
        ],
        className="row",
    )
    return html.Dialog(
        [
            dcc.Store(id=Ids.OF, data={}),
            dcc.Store(id=Ids.WRITTEN, data={}),
            head,
            html.P(words, className="sm t2"),
            decision,
            actions,
            html.Div(id=Ids.RESULT, **{"aria-live": "polite"}),
        ],
        id=Ids.DIALOG,
        className="dialog own-design",
        **{"aria-label": _TITLE},
    )


# -- the decision as text ---------------------------------------------------------------------------------------------


def decision_text(value: Any, indent: int = 0) -> str:
    """Return the JSON for people: what fits on a line stands on one, and lists of short items fill their lines."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= _LINE_CHARACTERS or not isinstance(value, dict | list) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(str(key))}: {decision_text(item, indent + 2)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    if any(isinstance(item, dict | list) for item in value):
        rows = [inner + decision_text(item, indent + 2) for item in value]
    else:
        rows = _filled([json.dumps(item, ensure_ascii=False) for item in value], inner)
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"


def _filled(items: list[str], inner: str) -> list[str]:
    rows = [inner + items[0]]
    for item in items[1:]:
        if len(rows[-1]) + len(item) + 2 <= _LINE_CHARACTERS:
            rows[-1] += f", {item}"
        else:
            rows.append(inner + item)
    return rows


def read_decision(text: str) -> dict[str, Any]:
    """Return the decision that a person wrote.

    Raises:
        ValueError: it is no JSON object; the words say where.
    """
    try:
        found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ValueError(f"Line {error.lineno}, column {error.colno}: {error.msg}.") from error
    except RecursionError as error:
        raise ValueError("The decision is nested too deeply.") from error
    if not isinstance(found, dict):
        raise ValueError("A decision is a JSON object, in braces.")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(
            f"The key {next(name for name in names if names.count(name) > 1)} appears twice in one object."
        )
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number that JSON knows.")


# -- what comes of it -------------------------------------------------------------------------------------------------


def scored_words(designs: RunDesigns, number: int, scored: DecisionScores, warnings: Sequence[str] = ()) -> Component:
    """Return the metrics of the design next to those of a stored one, its rank, and the warnings of the engine."""
    own = {name: float(values[0]) for name, values in scored.designs.columns.items()}
    heads = [
        Column("Quantity"),
        Column(design_name(designs, number), number=True),
        Column("Yours", number=True),
        Column("Difference", number=True),
        Column("Ratio", number=True),
    ]
    rows = [cost_row(cost) for cost in compare_costs(scored.quantities, designs.values_of(number), own)]
    table = html.Div(plain_table(heads, rows), className="table-scroll")
    stands = html.Div(standing(designs, own, scored.broken[0]), className="row sm")
    return html.Div([stands, *[notice(words, tone="warn") for words in warnings], table], className="stack")


def _warnings(run: Run, scored: DecisionScores) -> list[str]:
    """Return the engine's warnings on a design that violates a limit; only some engines name the limit and the amount."""
    if not scored.broken[0]:
        return []
    try:
        results = explain_in_child(pinned_problem(run), scored.designs.decisions[0])
    except EngineError:
        return []
    return [each.text for each in results if isinstance(each, Note) and each.level == "warning"]


def standing(designs: RunDesigns, own: Mapping[str, float], broken: Sequence[Quantity]) -> list[Component]:
    """Return whether a design of one's own meets the limits, without those in `broken`, and its relation to the front."""
    if broken:
        limits = ", ".join(f"{each.title} {si(own[each.name], each.unit)}" for each in broken)
        return [chip("Not feasible", tone="warn", icon="alert-triangle"), html.Span(f"It violates a limit: {limits}.")]
    feasible = chip("Feasible", tone="good", icon="check")
    names = [quantity.name for quantity in designs.objectives]
    if not names or not all(np.isfinite(own[name]) for name in names):
        return [feasible]
    return [feasible, html.Span(_against_front(designs, own))]


def _against_front(designs: RunDesigns, own: Mapping[str, float]) -> str:
    """Return the sentence that compares it with the designs on the front."""
    signs = {quantity.name: -1.0 if quantity.sense == "maximise" else 1.0 for quantity in designs.objectives}
    point = np.array([sign * own[name] for name, sign in signs.items()])
    front = np.column_stack([sign * designs.columns[name][designs.front] for name, sign in signs.items()])
    if (front == point).all(axis=1).any():
        return "It equals a design on the Pareto front in every objective."
    beaten = int((front <= point).all(axis=1).sum())
    if beaten:
        return f"{_designs(beaten)} of the front {'is' if beaten == 1 else 'are'} better: no worse in any objective."
    beats = int((front >= point).all(axis=1).sum())
    return "No design of the front is better." + (f" It is better than {_designs(beats)} of it." if beats else "")


def _designs(count: int) -> str:
    return f"{integer(count)} design{'' if count == 1 else 's'}"


def refused_words(error: DecisionError) -> Component:
    """Return the errors of the engine by place in the decision."""
    place = error.field.removeprefix("decisions.0").lstrip(".") or "The decision"
    words = error.explained(f"Must be {error.accepted}. Got {error.got!r} instead.")
    return notice(html.Span(place, className="mono"), f": {words}", tone="warn")


# -- callbacks --------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.DECISION, "value"),
    Output(Ids.OF, "data"),
    Output(Ids.RESULT, "children"),
    Input(Ids.OPEN, "n_clicks"),
    Input(Ids.RESET, "n_clicks"),
    State(Ids.OF, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def fill(_opened: int | None, _reset: int | None, of: dict[str, Any], selection: dict[str, Any], run_id: int) -> Any:
    """Return the decision of the selected design; what was written to one stays while it is selected."""
    number = selection.get("design")
    if number is None:
        return "", {}, notice("There is no design to start from yet.")
    if ctx.triggered_id == Ids.OPEN and of.get("design") == number:
        raise PreventUpdate
    try:
        decision = readers.load_decision(open_run(run_id), int(number))
    except LookupError as error:
        return "", {}, notice(str(error), tone="warn")
    return decision_text(decision), {"design": number}, None


# The field hands its text on a moment late; the click takes what stands in it.
clientside_callback(
    ClientsideFunction("ownDesign", "written"),
    Output(Ids.WRITTEN, "data"),
    Input(Ids.SCORE, "n_clicks"),
    State(Ids.DECISION, "id"),
    prevent_initial_call=True,
)


@callback(
    Output(Ids.RESULT, "children", allow_duplicate=True),
    Input(Ids.WRITTEN, "data"),
    State(Ids.OF, "data"),
    State(RunIds.RUN, "data"),
    running=[(Output(Ids.STATE, "children"), "Scoring …", ""), (Output(Ids.RESULT, "className"), "old", "")],
    prevent_initial_call=True,
)
def score(written: dict[str, Any], of: dict[str, Any], run_id: int) -> Any:
    """Score what is written, next to the design that it began with."""
    if "text" not in written or "design" not in of:
        return no_update
    try:
        decision = read_decision(str(written["text"]))
    except ValueError as error:
        return notice(str(error), tone="warn")
    run = open_run(run_id)
    try:
        scored = score_decisions(run, [decision])
    except DecisionError as error:
        return refused_words(error)
    except EngineError as error:
        return refused(run, error)
    return scored_words(designs_of(run), int(of["design"]), scored, _warnings(run, scored))
