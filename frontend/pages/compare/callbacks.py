"""Callbacks of the pages about comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.components.as_table import table_text
from frontend.components.states import notice
from frontend.components.static_part import static_text
from frontend.ids.compare import CompareIds, CompareListIds
from frontend.ids.shell import ShellIds
from frontend.pages.compare.data import (
    Side,
    Strip,
    address_of,
    logarithmic,
    sides_of,
    strip_of,
    usual_axes,
    usual_scale,
)
from frontend.pages.compare.head import conflict
from frontend.pages.compare.measurements import table_rows
from frontend.pages.compare.page import fronts_size
from frontend.pages.compare.remarks import remark_lines
from frontend.pages.compare.strips import small_grid, strip_rows, strips_legend, window_parts
from frontend.pages.compare.tables import fronts_table
from frontend.pages.compare.traces import traces_card
from frontend.pages.compare.view import fronts_patch, fronts_picture, fronts_remarks, fronts_sentence, metric_table
from frontend.request import chosen_project, current_user
from webapp.comparisons.errors import ChangedComparisonError, ComparisonError
from webapp.comparisons.service import FEWEST, MOST, Entry, entries_of, get_comparison, keep, state_of
from webapp.deletions.service import delete
from webapp.teams.visibility import NotAllowed

_GRIDS = {"type": CompareIds.GRID_TYPE, "letter": ALL}
_WINDOWS = {"type": CompareIds.WINDOW_TYPE, "letter": ALL}


def _sides(entries: list[dict[str, Any]], selected: Mapping[str, Any]) -> list[Side]:
    """Return the runs of the page with the designs picked on it."""
    chosen = [{"run": item["run"], "design": selected.get(str(item["run"]), item.get("design"))} for item in entries]
    return sides_of(entries_of(current_user(), chosen))


# -- fronts and measures ----------------------------------------------------------------------------------------------


@callback(
    Output(CompareIds.FRONTS, "figure"),
    Output(CompareIds.FRONTS_SUMMARY, "aria-label"),
    Output(CompareIds.FRONTS_REMARKS, "children"),
    Output(CompareIds.AXES, "data"),
    Output(CompareIds.FRONTS_TABLE, "data-folded"),
    Output(CompareIds.LOG, "checked"),
    Output(CompareIds.LOG, "disabled"),
    Input(CompareIds.X_AXIS, "value"),
    Input(CompareIds.Y_AXIS, "value"),
    Input(CompareIds.LOG, "checked"),
    Input(CompareIds.SELECTED, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    State(CompareIds.ENTRIES, "data"),
    State(CompareIds.AXES, "data"),
    prevent_initial_call=True,  # The layout has it.
)
def show_fronts(
    x: str, y: str, log: bool, selected: dict[str, Any], scheme: Any, viewport: dict[str, Any], entries: Any, kept: dict[str, str]
) -> Any:  # fmt: skip
    """Return the fronts over the chosen axes, with the picked designs; a scale that nobody chose follows the axes."""
    if x == y or not (x and y):
        raise PreventUpdate
    sides = _sides(entries, selected)
    if usual_axes(sides, x, y) != (x, y):  # no two runs have both: the other axis follows
        raise PreventUpdate
    chosen = ("log" if log else "linear") if ctx.triggered_id == CompareIds.LOG else kept.get("scale")
    scale = usual_scale(sides, (x, y), chosen)
    draw = fronts_patch if ctx.triggered_id == CompareIds.SELECTED else fronts_picture
    letters = logarithmic(sides, (x, y), scale)
    picture = draw(sides, (x, y), scheme, fronts_size(viewport, len(sides)), letters)
    axes_changed = ctx.triggered_id in (CompareIds.X_AXIS, CompareIds.Y_AXIS)
    table = table_text(fronts_table(sides, (x, y))) if axes_changed else no_update
    axes = {"x": x, "y": y} | ({"scale": chosen} if chosen else {})
    possible = bool(logarithmic(sides, (x, y), "log"))
    remarks = " ".join(fronts_remarks(sides, (x, y)))
    return picture, fronts_sentence(sides, (x, y)), remarks, axes, table, bool(letters), not possible


@callback(
    Output(CompareIds.SELECTED, "data"),
    Input(CompareIds.FRONTS, "clickData"),
    State(CompareIds.SELECTED, "data"),
    State(CompareIds.ENTRIES, "data"),
    prevent_initial_call=True,
)
def pick(click: Any, selected: dict[str, Any], entries: list[dict[str, Any]]) -> Any:
    """Select the clicked design in its run; the selections of other runs stay."""
    words = str((click or {}).get("points", [{}])[0].get("customdata", "")).split()
    sides = {side.style.letter: side for side in _sides(entries, selected)}
    if len(words) != 2 or words[0] not in sides or not words[1].isdigit():
        raise PreventUpdate
    run = sides[words[0]].run
    return {**selected, str(run.pk): int(words[1])}


@callback(
    Output(CompareIds.METRICS, "data-html"),
    Input(CompareIds.SELECTED, "data"),
    State(CompareIds.ENTRIES, "data"),
    prevent_initial_call=True,
)
def show_metrics(selected: dict[str, Any], entries: list[dict[str, Any]]) -> Any:
    """Return the measures of the picked designs and of the fronts."""
    sides = _sides(entries, selected)
    return static_text([remark_lines(sides), metric_table(table_rows(sides), sides)])


# -- strips -----------------------------------------------------------------------------------------------------------


@callback(
    Output(CompareIds.STRIPS, "children"),
    Output(CompareIds.LEGEND, "children"),
    Output(CompareIds.TRACES, "children"),
    Output(CompareIds.STRIPS_CARD, "hidden"),
    Input(CompareIds.SELECTED, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    State(CompareIds.ENTRIES, "data"),
)
def show_strips(selected: dict[str, Any], scheme: Any, viewport: dict[str, Any], entries: list[dict[str, Any]]) -> Any:
    """Return grid, schedule and traces of every picked design, all on common time axes."""
    strips = [strip_of(side) for side in _sides(entries, selected)]
    rows = strip_rows(strips, scheme, int(viewport["width"]) - 34)
    traces = traces_card(strips, scheme)
    # Engines of sensing make traces and no schedules: a card of excuses would push them down.
    empty = traces is not None and not any(strip.grid or strip.schedule for strip in strips)
    return rows, strips_legend(strips), traces, empty


@callback(
    Output(_GRIDS, "figure"),
    Output(_WINDOWS, "children"),
    Input(CompareIds.CURSOR, "data"),
    State(_GRIDS, "id"),
    State(_WINDOWS, "id"),
    State(CompareIds.SELECTED, "data"),
    State(ShellIds.SCHEME, "data"),
    State(CompareIds.ENTRIES, "data"),
    prevent_initial_call=True,
)
def follow_cursor(
    windows: dict[str, int], grids: list[Any], words: list[Any], selected: Any, scheme: Any, entries: Any
) -> Any:
    """Return the small grids show the window under the cursor."""
    strips = {side.style.letter: strip_of(side) for side in _sides(entries, selected)}

    def window(name: str) -> int | None:
        grid = strips[name].grid if name in strips else None
        at = windows.get(name)
        return min(int(at), len(grid.windows) - 1) if grid and grid.windows and at is not None else None

    figures, texts = [], []
    for item in grids:
        at = window(item["letter"])
        figures.append(no_update if at is None else small_grid(strips[item["letter"]], at, scheme))
    for item in words:
        at = window(item["letter"])
        texts.append(no_update if at is None else _window_text(strips[item["letter"]], at))
    return figures, texts


def _window_text(strip: Strip, window: int) -> Any:
    return window_parts(strip, window)


# -- which runs -------------------------------------------------------------------------------------------------------


@callback(
    Output(CompareIds.LOCATION, "href"),
    Output(CompareIds.ERROR, "children"),
    Output(CompareIds.SEEN, "data"),
    Input(CompareIds.ADD, "value"),
    Input({"type": CompareIds.ACTION_TYPE, "name": ALL}, "n_clicks"),
    Input({"type": CompareIds.REMOVE_TYPE, "run": ALL}, "n_clicks"),
    State(CompareIds.TITLE, "value"),
    State(CompareIds.AXES, "data"),
    State(CompareIds.SELECTED, "data"),
    State(CompareIds.ENTRIES, "data"),
    State(CompareIds.NUMBER, "data"),
    State(CompareIds.SEEN, "data"),
    prevent_initial_call=True,
)
def change(
    added: str | None, clicks: list[int | None], removed: list[int | None], title: str | None, axes: dict[str, str],
    selected: dict[str, Any], entries: list[dict[str, Any]], number: int, seen: dict[str, Any] | None,
) -> Any:  # fmt: skip
    """Return the address of the new set of runs; a stored comparison has a permanent address.

    Where another person has changed it since, nothing is kept: both changes are shown, with what can be done about it.
    """
    source, user = ctx.triggered_id, current_user()
    kept = [Entry(side.run, selected.get(str(side.run.pk))) for side in _sides(entries, selected)]
    if source == CompareIds.ADD and added:
        more = entries_of(user, [{"run": int(added)}])
        return address_of([*kept, *more][:MOST], number), "", no_update
    if not isinstance(source, dict) or not any([*clicks, *removed]):
        raise PreventUpdate
    if source["type"] == CompareIds.REMOVE_TYPE:
        return address_of([entry for entry in kept if entry.run.pk != source["run"]], number), "", no_update
    if source["name"] == "swap":
        return address_of(kept[::-1], number), "", no_update
    try:
        found = get_comparison(user, number) if number else None
        if source["name"] == "on":
            return no_update, "", no_update
        if source["name"] in ("keep", "mine"):
            stored = keep(user, title or "", kept, axes, found, chosen_project(user), seen)
            return f"/compare/{stored.pk}", "", no_update
        if found is not None:
            delete(user, "comparison", found.pk)
        return "/compare", "", no_update
    except ChangedComparisonError as error:
        mine = {"title": title or "", "entries": [{"run": each.run.pk, "design": each.design} for each in kept]}
        return (
            no_update,
            conflict(user, error.comparison, seen or {}, {**mine, "axes": axes}),
            state_of(error.comparison),
        )
    except (ComparisonError, NotAllowed) as error:
        return no_update, notice(str(error), tone="bad"), no_update


@callback(
    Output(CompareListIds.OPEN, "disabled"),
    Input(CompareListIds.PICK, "value"),
    prevent_initial_call=True,
)
def enough(runs: list[str]) -> bool:
    """Return whether too few runs are picked."""
    return len(runs or []) < FEWEST


@callback(
    Output(CompareListIds.LOCATION, "href"),
    Input(CompareListIds.OPEN, "n_clicks"),
    State(CompareListIds.PICK, "value"),
    prevent_initial_call=True,
)
def open_new(clicks: int | None, runs: list[str]) -> Any:
    """Return the comparison of the picked runs."""
    if not clicks or len(runs or []) < FEWEST:
        raise PreventUpdate
    return "/compare?runs=" + ",".join(runs)


clientside_callback(
    ClientsideFunction("compare", "address"),
    Output(CompareIds.EXPORT, "href"),
    Input(CompareIds.SELECTED, "data"),
    Input(CompareIds.AXES, "data"),
    Input(CompareIds.TITLE, "value"),
    State(CompareIds.ENTRIES, "data"),
    prevent_initial_call=True,
)
