"""Callbacks of the run page that show the selected design and the other tabs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dash import (
    ALL,
    ClientsideFunction,
    Input,
    Output,
    State,
    callback,
    clientside_callback,
    ctx,
    no_update,
)

from engines.contract.errors import EngineError
from engines.contract.results import Result, Schedule, Trace
from frontend.components.states import empty_state
from frontend.components.static_html import static_html
from frontend.figures.generic import trace_figure
from frontend.figures.schedule.schedule import By, block_words, lanes_word
from frontend.figures.summary import grid_sentence, schedule_sentence
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run.design.card import (
    DESIGN_CLASS,
    design_head,
    grid_legend,
    grid_picture,
    model_names,
    refused,
    schedule_picture,
    windows,
)
from frontend.pages.run.design.pictures import Picture, design_pictures
from frontend.pages.run.header import buffer_warning
from frontend.pages.run.run_reader import (
    designs_of,
    explained,
    explained_types,
    grid_of,
    open_run,
    schedule_of,
    trace_of,
)
from frontend.pages.run.sizes import Sizes, blank_figure, sizes
from frontend.pages.run.tabs.callbacks import BY
from frontend.pages.run.tabs.registry import lacking_tabs
from frontend.results.registry import result_sentence
from frontend.theme import Scheme
from webapp.runs.models import Run

_SCHEDULE_CLASS = "card run-schedule"
_NO_LOWER_CARD = ("Schedule", f"{_SCHEDULE_CLASS} empty")
# Of the pictures of a design: place, name, and what is said to those who do not see it.
_PLACES = (
    (RunIds.PICTURE, RunIds.PICTURE_TITLE, RunIds.GRID_SUMMARY),
    (RunIds.BELOW, RunIds.BELOW_TITLE, RunIds.BELOW_SUMMARY),
)


@callback(
    Output(RunIds.GRID, "figure"),
    Output(RunIds.BELOW_PLOT, "figure"),
    Output(RunIds.SCHEDULE, "figure"),
    Output(RunIds.DESIGN_WORDS, "data"),
    Output({"type": RunIds.BY_TYPE, "value": ALL}, "className"),
    Output({"type": RunIds.TAB_TYPE, "name": ALL, "place": "bar"}, "hidden"),
    Input(RunIds.STAGE, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    Input(BY, "n_clicks"),
    State(RunIds.SELECTION, "data"),
    State(BY, "className"),
    State(RunIds.DATA, "data"),
    State(RunIds.RUN, "data"),
)
def show_design(
    _stage: Any,
    scheme: Any,
    viewport: Any,
    _by: Any,
    selection: dict[str, Any],
    classes: list[str],
    data: dict[str, Any],
    run_id: int,
) -> Any:
    """Return the selected design whenever something else than the selection changes; a pick is answered by `live.pick`."""
    run, by = open_run(run_id), _lanes(classes)
    shown = shown_design(run, selection, scheme, viewport, by, bool(data["live"]))
    figures = [shown.figures.get(name, no_update) for name in (RunIds.GRID, RunIds.BELOW_PLOT, RunIds.SCHEDULE)]
    return [*figures, shown.words, _lane_classes(by), _hidden_tabs(run)]


@dataclass(frozen=True)
class DesignPictures:
    """The pictures of a design by the ids of their graphs, and the words around them.

    All words go as one text, which the browser puts in their places; `of` says what they belong to.
    """

    figures: dict[RunIds, Any]
    words: dict[str, Any]


def shown_design(
    run: Run, selection: Mapping[str, Any], scheme: Scheme, viewport: Any, by: By, live: bool
) -> DesignPictures:
    """Return the grid and schedule of the selected design, in the selected window; `live` is whether designs still arrive."""
    designs, number, size = designs_of(run), selection.get("design"), sizes(viewport)
    if number is None or number >= len(designs):
        return _no_design(
            empty_state("layout-grid", "No design selected yet", level=3), size, selection, empty_lower_card(run)
        )
    try:
        results = explained(run, int(number))
    except (EngineError, LookupError) as error:
        return _no_design(refused(run, error), size, selection, _NO_LOWER_CARD)
    grid, schedule, trace = grid_of(results), schedule_of(results), trace_of(results)
    card = _card_of_design(results, int(selection.get("window") or 0), scheme, size)
    window = min(int(selection.get("window") or 0), len(grid.windows) - 1) if grid else None
    title, classes_of_card, lower, lower_sentence = (
        _trace_picture(trace, scheme, size)
        if schedule is None and trace is not None
        else _schedule_picture(schedule, window, scheme, size, by)
    )
    parts = card.parts | {
        RunIds.DESIGN_HEAD: design_head(designs, int(number), bool(selection.get("follow")), live),
        RunIds.SCHEDULE_TITLE: title,
        RunIds.SCHEDULE_LEGEND: model_names(schedule) if schedule else "",
        RunIds.LANES_WORD: lanes_word(schedule) if schedule else "",
        RunIds.BLOCK_WORDS: block_words(schedule) if schedule else "",
        RunIds.BUFFER: buffer_warning(designs, int(number)),
    }
    attributes = card.attributes | {
        RunIds.SCHEDULE_SUMMARY: {"aria-label": lower_sentence},
        RunIds.SCHEDULE_CARD: {"class": classes_of_card},
        RunIds.PERFETTO: {"href": f"/api/v1/runs/{run.pk}/schedule.json?design={number}"},
    }
    figures = {RunIds.GRID: card.figure, RunIds.BELOW_PLOT: card.below, RunIds.SCHEDULE: lower}
    return DesignPictures(_drawn(figures), _words(parts, attributes, selection))


def _drawn(figures: Mapping[RunIds, Any]) -> dict[RunIds, Any]:
    return {name: figure for name, figure in figures.items() if figure is not no_update}


def _words(
    parts: dict[RunIds, Any], attributes: dict[RunIds, dict[str, str]], selection: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what `run.js` writes: id -> HTML, id -> attribute -> value; and of which selection."""
    texts = {name: static_html(part, answered=True) for name, part in parts.items()}
    of = {name: selection.get(name) for name in ("design", "window", "follow")}
    return {"html": texts, "attributes": attributes, "of": of}


def _lane_classes(by: By) -> list[Any]:
    """Return which choice of lanes is on; unsaid where it did not change, for every output slows a pick."""
    chosen = ctx.triggered_id is None or (isinstance(ctx.triggered_id, dict) and "value" in ctx.triggered_id)
    return ["on" if each == by else "" for each in ("chiplets", "models")] if chosen else [no_update] * 2


def _hidden_tabs(run: Run) -> list[Any]:
    """Return the tabs that the bar omits, in its order; they depend on the engine alone."""
    if ctx.triggered_id is not None:
        return [no_update] * len(ctx.outputs_list[-1])
    lacking = lacking_tabs(run)
    return [each["id"]["name"] in lacking for each in ctx.outputs_list[-1]]


@dataclass(frozen=True)
class _Card:
    """The card of the selected design: one or two figures, words by the id of their place, attributes by id."""

    figure: Any
    below: Any
    parts: dict[RunIds, Any]
    attributes: dict[RunIds, dict[str, str]]


def _card_of_design(results: tuple[Result, ...], window: int, scheme: Scheme, size: Sizes) -> _Card:
    """Return the grid, or where an engine makes none the pictures that say most of the design."""
    grid = grid_of(results)
    if grid is None:
        return _card_of_pictures(design_pictures(results, scheme, size.pictures), size)
    window = min(window, len(grid.windows) - 1)
    parts = {RunIds.WINDOWS: windows(grid, window), RunIds.GRID_LEGEND: grid_legend(grid, window)}
    said = {
        RunIds.GRID_SUMMARY: {"aria-label": grid_sentence(grid, window)},
        RunIds.DESIGN_CARD: {"class": DESIGN_CLASS},
    }
    return _Card(grid_picture(grid, window, scheme, size.grid_plot), no_update, parts, said)


def _card_of_pictures(pictures: tuple[Picture, ...], size: Sizes) -> _Card:
    kind = (" pictures", " pictures two")[len(pictures) > 1] if pictures else ""
    parts: dict[RunIds, Any] = {RunIds.WINDOWS: "", RunIds.GRID_LEGEND: ""}
    said = {RunIds.GRID_SUMMARY: {"aria-label": ""}, RunIds.DESIGN_CARD: {"class": DESIGN_CLASS + kind}}
    for picture, (place, title, summary) in zip(pictures, _PLACES, strict=False):
        parts[title] = picture.result.title
        said[summary] = {"aria-label": picture.sentence}
        said[place] = {"aria-label": picture.result.title, "data-result": picture.result.name}
    figures = [picture.figure for picture in pictures] or [blank_figure(size.grid_plot[1])]
    return _Card(figures[0], figures[1] if len(figures) > 1 else no_update, parts, said)


def _schedule_picture(
    schedule: Schedule | None, window: int | None, scheme: Scheme, size: Sizes, by: By
) -> tuple[Any, ...]:
    """Return title, classes, figure and sentence of the lower card where it holds a schedule, or nothing."""
    if schedule is None:  # an engine without schedules and traces: the card would be empty
        return "Schedule", f"{_SCHEDULE_CLASS} empty", blank_figure(size.schedule_plot[1]), ""
    picture = schedule_picture(schedule, window, scheme, size.schedule_plot, by)
    # Lanes of a single model would be one row of everything.
    classes = _SCHEDULE_CLASS if len(schedule.models) > 1 else f"{_SCHEDULE_CLASS} one-model"
    return "Schedule", classes, picture, schedule_sentence(schedule)


def _trace_picture(trace: Trace, scheme: Scheme, size: Sizes) -> tuple[Any, ...]:
    """Return the same of an engine without schedules, whose designs have traces."""
    # There is no legend below a trace.
    figure = trace_figure(trace, scheme, height_px=size.schedule_plot[1] + 20)
    return (
        trace.title,
        f"{_SCHEDULE_CLASS} no-lanes",
        figure,
        f"{result_sentence(trace)} Arrow keys move a time cursor.",
    )


def empty_lower_card(run: Run) -> tuple[str, str]:
    """Return title and classes of the lower card before a design is shown: of schedules, of traces, or none where neither comes."""
    types = explained_types(run)
    if types is None or Schedule in types:
        return "Schedule", _SCHEDULE_CLASS
    return ("Traces", f"{_SCHEDULE_CLASS} no-lanes") if Trace in types else _NO_LOWER_CARD


def _no_design(words: Any, size: Sizes, selection: Mapping[str, Any], lower: tuple[str, str]) -> DesignPictures:
    """Return the design's card with words in place of its pictures; `lower` is the title and the classes of the lower card."""
    grid, schedule = blank_figure(size.grid_plot[1]), blank_figure(size.schedule_plot[1])
    parts = {
        RunIds.WINDOWS: words,
        RunIds.GRID_LEGEND: "",
        RunIds.SCHEDULE_TITLE: lower[0],
        RunIds.SCHEDULE_LEGEND: "",
        RunIds.BLOCK_WORDS: "",
        RunIds.BUFFER: "",
    }
    attributes = {
        RunIds.GRID_SUMMARY: {"aria-label": "Chiplet grid: none."},
        RunIds.DESIGN_CARD: {"class": DESIGN_CLASS},
        RunIds.SCHEDULE_SUMMARY: {"aria-label": "Schedule: none."},
        RunIds.SCHEDULE_CARD: {"class": lower[1]},
        RunIds.PERFETTO: {"href": ""},
    }
    return DesignPictures({RunIds.GRID: grid, RunIds.SCHEDULE: schedule}, _words(parts, attributes, selection))


def _lanes(classes: list[str]) -> By:
    """Return the kind of rows: as just clicked, else as before."""
    if isinstance(ctx.triggered_id, dict) and ctx.triggered_id.get("type") == RunIds.BY_TYPE:
        return "models" if ctx.triggered_id["value"] == "models" else "chiplets"
    return "models" if len(classes) > 1 and classes[1] == "on" else "chiplets"


clientside_callback(
    ClientsideFunction("run", "showWords"),
    Output(RunIds.DESIGN_WORDS, "modified_timestamp"),
    Input(RunIds.DESIGN_WORDS, "data"),
    prevent_initial_call=True,
)
