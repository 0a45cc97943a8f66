"""Callbacks of the run page's front: the picture, what was chosen of it, limits, lasso, short list."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.designs.obstacles import obstacle
from frontend.ids.measurements import MeasuredIds
from frontend.ids.notes_and_tags import TalkIds
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run.front.choices import read_choices, read_region
from frontend.pages.run.front.front_view import drawn_note, front_shown, too_early
from frontend.pages.run.front.query import FrontQuery
from frontend.pages.run.front.rail import limit_box, limit_text, limits_of, switches_hidden
from frontend.pages.run.front.short_list import ranking_fields, short_list_words, typed_ranking
from frontend.pages.run.run_reader import designs_of, listed_designs, open_run
from frontend.pages.run.selection import follow_best

SLIDERS = {"type": RunIds.LIMIT_TYPE, "name": ALL, "end": ALL}
CHOSEN = {"type": RunIds.CHOICE_TYPE, "name": ALL}
VIEW_BUTTONS = {"type": RunIds.FRONT_VIEW_TYPE, "value": ALL, "place": ALL}
BOXES = {"type": RunIds.FRONT_BOX_TYPE, "name": ALL}


# -- choices ----------------------------------------------------------------------------------------------------------


clientside_callback(
    ClientsideFunction("front", "choose"),
    Output(RunIds.CHOICES, "data"),
    Output(VIEW_BUTTONS, "aria-pressed"),
    Output(BOXES, "hidden"),
    Output(CHOSEN, "value"),
    Output({"type": RunIds.SHOW_TYPE, "name": ALL}, "checked"),
    Output({"type": RunIds.LOG_TYPE, "name": ALL}, "checked"),
    Input(CHOSEN, "value"),
    Input({"type": RunIds.SHOW_TYPE, "name": ALL}, "checked"),
    Input({"type": RunIds.LOG_TYPE, "name": ALL}, "checked"),
    Input(VIEW_BUTTONS, "n_clicks"),
    Input(RunIds.UNDO_CHOICES, "data"),
    State(CHOSEN, "id"),
    State({"type": RunIds.SHOW_TYPE, "name": ALL}, "id"),
    State({"type": RunIds.LOG_TYPE, "name": ALL}, "id"),
    State(VIEW_BUTTONS, "id"),
    State(BOXES, "id"),
    State(BOXES, "hidden"),
    State(RunIds.CHOICES, "data"),
    prevent_initial_call=True,
)


@callback(
    Output({"type": RunIds.SHOW_BOX_TYPE, "name": ALL}, "hidden"),
    Input({"type": RunIds.CHOICE_TYPE, "name": "x"}, "value"),
    Input({"type": RunIds.CHOICE_TYPE, "name": "y"}, "value"),
    Input(RunIds.DATA, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def offer_switches(x: str, y: str, _data: Any, run_id: int) -> list[bool]:
    """Offer what there is to show: baselines of a live run come with its designs, lines of equal product with the axes."""
    return switches_hidden(designs_of(open_run(run_id)), x, y)


# A drag moves a slider a hundred times; the picture follows a few times a second.
clientside_callback(
    ClientsideFunction("front", "slide"),
    Output(RunIds.LIMITS, "modified_timestamp"),
    Input(SLIDERS, "value"),
    State(SLIDERS, "min"),
    State(SLIDERS, "max"),
    State(SLIDERS, "id"),
    prevent_initial_call=True,
)

clientside_callback(
    ClientsideFunction("front", "lasso"),
    Output(RunIds.REGION, "data"),
    Input(RunIds.FRONT, "selectedData"),
    Input({"type": RunIds.CLEAR_REGION, "name": ALL}, "n_clicks"),
    Input(RunIds.LIMIT_RESET, "n_clicks"),
    State(RunIds.CHOICES, "data"),
    State(RunIds.REGION, "data"),
    prevent_initial_call=True,
)


# -- picture ----------------------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.FRONT, "figure"),
    Output(RunIds.FRONT_SUMMARY, "aria-label"),
    Output(RunIds.FRONT_EMPTY, "children"),
    Output(RunIds.FRONT_NEW, "children"),
    Output(RunIds.REMAINING, "children"),
    Output(RunIds.FRONT_DRAWN, "children"),
    Output(RunIds.VIEW, "data"),
    Output(RunIds.FRONT_ORDER, "data"),
    Output({"type": RunIds.LIMIT_TEXT_TYPE, "name": ALL}, "children"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.CHOICES, "data"),
    Input(RunIds.LIMITS, "data"),
    Input(RunIds.REGION, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    Input({"type": RunIds.FIT, "name": ALL}, "n_clicks"),
    Input(TalkIds.TURN, "data"),
    Input(MeasuredIds.TURN, "data"),
    State({"type": RunIds.LIMIT_TEXT_TYPE, "name": ALL}, "id"),
    State(SLIDERS, "value"),
    State(RunIds.LISTED, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.VIEW, "data"),
    State(RunIds.FRONT_ORDER, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,  # The layout has it.
)
def show_front(
    data: dict[str, Any], choices: dict[str, Any], limits: dict[str, float] | None, lasso: Any, scheme: Any, viewport: Any,
    fits: list[int | None], _turn: Any, _measured: Any, texts: list[dict[str, str]], values: list[float], listed: dict[str, Any],
    selection: dict[str, Any], view: Any, order: list[int], run_id: int,
) -> Any:  # fmt: skip
    """Return the picture of the front with everything in it."""
    run = open_run(run_id)
    designs = designs_of(run)
    fit = isinstance(ctx.triggered_id, dict) and ctx.triggered_id["type"] == RunIds.FIT and any(fits)
    kept = None if fit or too_early(view) else view
    region = read_region(lasso, designs)
    followed = follow_best(listed_designs(run, data, listed), selection)
    asked = FrontQuery(read_choices(choices, designs), limits or {}, region, scheme, viewport, followed, kept, data)
    found = front_shown(run, designs, asked)
    return [
        found.figure,
        found.summary,
        found.over,
        found.news,
        found.remaining,
        drawn_note(found.drawn),
        no_update if found.view == view else found.view,
        no_update if found.order == order else found.order,
        [limit_text(designs.quantity(item["name"]), value) for item, value in zip(texts, values, strict=False)],
    ]


# -- limits and short list --------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.LIMIT_BOX, "children"),
    Output(RunIds.LIMITS, "data"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.LIMIT_RESET, "n_clicks"),
    Input({"type": RunIds.RELAX_TYPE, "name": ALL}, "n_clicks"),
    Input(RunIds.UNDO, "data"),
    State(RunIds.LIMITS, "data"),
    State(RunIds.REGION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_limits(
    data: dict[str, Any], _reset: int | None, relax: list[int | None], undo: Any, limits: dict[str, float] | None,
    lasso: Any, run_id: int,
) -> Any:  # fmt: skip
    """Return the sliders and histograms.

    While the run is live and a limit is set, they stay: a slider must not move under the hand.
    """
    designs = designs_of(open_run(run_id))
    scales = designs.scales
    if ctx.triggered_id == RunIds.LIMIT_RESET:
        return limit_box(scales, {}), {}
    if ctx.triggered_id == RunIds.UNDO and undo:
        return limit_box(scales, undo["limits"]), undo["limits"]
    if isinstance(ctx.triggered_id, dict):
        found = obstacle(designs, limits or {}, read_region(lasso, designs)) if any(relax) else None
        if found is None:
            raise PreventUpdate
        relaxed = limits_of(scales, {**(limits or {}), found.quantity.name: found.needed})
        return limit_box(scales, relaxed), relaxed
    if limits and data["live"]:
        raise PreventUpdate
    return limit_box(scales, limits or {}), no_update


@callback(
    Output(RunIds.SHORT_WORDS, "data"),
    Output(RunIds.RANKING_BOX, "children"),
    Output(RunIds.RANKING, "data"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.LIMITS, "data"),
    Input(RunIds.REGION, "data"),
    Input(RunIds.SHORT_BY, "value"),
    Input({"type": RunIds.RANKING_TYPE, "name": ALL}, "value"),
    State({"type": RunIds.RANKING_TYPE, "name": ALL}, "id"),
    State(RunIds.LISTED, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RANKING, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_short_list(
    data: Any, limits: dict[str, float] | None, lasso: Any, by: str | None, typed: list[Any], fields: list[dict[str, str]],
    listed: dict[str, Any], selection: dict[str, Any], before: dict[str, Any], run_id: int,
) -> Any:  # fmt: skip
    """Return the best designs of the front that pass, in the order asked for."""
    designs = listed_designs(open_run(run_id), data, listed)
    changed = by != before["by"]
    pairs = [] if changed else [(item["name"], value) for item, value in zip(fields, typed, strict=True)]
    ranking = typed_ranking(designs, by or "", pairs)
    told = ranking.to_json()
    return (
        short_list_words(designs, limits or {}, read_region(lasso, designs), ranking, selection.get("design")),
        ranking_fields(designs, ranking) if changed else no_update,
        no_update if told == before else told,
    )
