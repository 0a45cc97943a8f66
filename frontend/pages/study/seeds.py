"""Statistics over the seeds of a study: attained fronts, box plots, and significant differences. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.arrays import FloatArray
from engines.contract.engine import Engine
from engines.contract.errors import ProblemError
from engines.contract.quantities import Quantity
from frontend.components.button import link_button
from frontend.components.pictures.figure_menu import picture_menu
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, integer, si
from frontend.figures.statistics.attainment import AttainmentSide, attainment_figure, attainment_sentence
from frontend.figures.statistics.boxes import BoxGroup, boxes_figure, boxes_sentence, quartiles
from frontend.pages.study.judgement import group_letter, judgement
from frontend.pages.study.missing_runs import missing_sentences
from frontend.pages.study.words import axis_title, value_title
from frontend.theme import RUNS, RunStyle, Scheme
from webapp.comparisons.service import FEWEST, MOST
from webapp.studies.growth import EVALUATIONS, growth_surfaces
from webapp.studies.models import Study
from webapp.studies.service import grid_of
from webapp.studies.statistics import HYPERVOLUME, Group, StudyStatistics, places, study_statistics

FRONTS_HEIGHT_PX = 300
_GRAPH = {"displayModeBar": False, "responsive": True, "doubleClick": "reset"}


@dataclass(frozen=True)
class AskedSeeds:
    """The reader's choices; None takes the default. `at` is the position of the place."""

    by: str | None = None
    at: int | None = None
    measure: str | None = None
    x: str | None = None
    y: str | None = None


def asked_statistics(study: Study, asked: AskedSeeds) -> tuple[StudyStatistics, AskedSeeds]:
    """Return the statistics and the query that they answer; unknown parts of the query become defaults."""
    for attempt in (asked, AskedSeeds(asked.by, None, asked.measure), AskedSeeds(measure=asked.measure), AskedSeeds()):
        try:
            found = study_statistics(study, attempt.by, attempt.at, attempt.measure)
        except ProblemError:
            continue
        x, y = _axes(found, asked)
        return found, AskedSeeds(found.axis, attempt.at or 0, found.measure.name, x, y)
    raise ProblemError("engine", study.engine, "an installed engine")


def _axes(found: StudyStatistics, asked: AskedSeeds) -> tuple[str | None, str | None]:
    names = [quantity.name for quantity in found.objectives]
    if len(names) < 2:
        return None, None
    x = asked.x if asked.x in names else names[0]
    return x, asked.y if asked.y in names and asked.y != x else next(name for name in names if name != x)


def digest_of(found: StudyStatistics, asked: AskedSeeds) -> str:
    """Return a digest that changes when a run ends or the query changes."""
    ended = [[(each.run.pk, each.run.attempt) for each in group.runs] for group in found.groups]
    others = [[(run.pk, run.status if not run.active else "") for run in group.others] for group in found.groups]
    return repr((asked, ended, others))


def place_choices(study: Study, axis: str, engine: Engine) -> list[dict[str, str]]:
    """Return the choices at which the other axes can be fixed."""
    return [
        {"value": str(position), "label": place_words(place, study, engine)}
        for position, place in enumerate(places(grid_of(study), axis))
    ]


def place_words(place: Mapping[str, Any], study: Study, engine: Engine) -> str:
    """Return a place in words: "Simba 3×3 NVDLA · 4"."""
    words = [value_title(name, value, engine, study.titles) for name, value in place.items()]
    return " · ".join(words) or "the whole study"


def group_title(group: Group, found: StudyStatistics, study: Study, engine: Engine) -> str:
    """Return the title of a group."""
    return value_title(found.axis, group.value, engine, study.titles) if found.axis else "All runs"


# -- the card ---------------------------------------------------------------------------------------------------------


def seeds_view(
    found: StudyStatistics, asked: AskedSeeds, study: Study, engine: Engine, scheme: Scheme
) -> list[Component]:
    """Return pictures, table of groups and tests of one place."""
    titles = [group_title(group, found, study, engine) for group in found.groups]
    if not any(group.runs for group in found.groups):
        words = "Fronts, boxes and tests over the seeds appear here as soon as the first runs have ended."
        return [empty_state("chart-line", "No run has ended yet", words, level=3)]
    styles = _styles(found.groups)
    table = html.Div(_groups_table(found, titles, styles), className="table-scroll study-groups")
    missing = [html.P(words, className="xs t3") for words in missing_sentences(found, titles)]
    pictures: list[Component] = [html.Div([_boxes(found, titles, styles, scheme), table, *missing])]
    if asked.x and asked.y:
        fronts = _fronts(found, titles, styles, (asked.x, asked.y), scheme)
        growth = _growth(found, titles, styles, scheme)
        pictures.insert(0, html.Div([fronts, growth], className="stack g12"))
    return [
        html.Div(pictures, className="study-pictures"),
        html.Div(judgement(found, titles, styles), className="study-judgement stack g8"),
    ]


def _styles(groups: Sequence[Group]) -> list[RunStyle | None]:
    """Return the letters for the first six groups; the others are drawn in grey and have no front."""
    return [RUNS[position] if position < len(RUNS) else None for position in range(len(groups))]


def _fronts(
    found: StudyStatistics,
    titles: Sequence[str],
    styles: Sequence[RunStyle | None],
    axes: tuple[str, str],
    scheme: Scheme,
) -> Component:
    x, y = (next(q for q in found.objectives if q.name == name) for name in axes)
    sides = []
    for group, title, style in zip(found.groups, titles, styles, strict=True):
        if style is not None:
            sides.append(_side(style, title, found.surfaces(group, x, y), group))
    graph = _surfaces_graph(sides, x, y, scheme)
    without = sum(1 for group, style in zip(found.groups, styles, strict=True) if group.runs and style is None)
    more = f" The fronts of {integer(without)} further groups are not drawn." if without else ""
    words = "Attained by half of the runs (line), and by a quarter to three quarters of them (band)." + more
    return _figure("Attained fronts", words, graph, attainment_sentence(sides, x, y), found)


def _growth(
    found: StudyStatistics, titles: Sequence[str], styles: Sequence[RunStyle | None], scheme: Scheme
) -> Component | None:
    """Return the hypervolume against evaluations; None where there are too many designs to order."""
    surfaces = growth_surfaces(found)
    sides = [
        _side(style, title, each, group)
        for group, title, style, each in zip(found.groups, titles, styles, surfaces, strict=False)
        if style is not None
    ]
    if not sides:
        return None
    words = "Median hypervolume of the runs after this many evaluations (line), and their quartiles (band)."
    graph = _surfaces_graph(sides, EVALUATIONS, HYPERVOLUME, scheme)
    sentence = attainment_sentence(sides, EVALUATIONS, HYPERVOLUME)
    return _figure("Hypervolume against evaluations", words, graph, sentence, found)


def _side(style: RunStyle, title: str, surfaces: Sequence[FloatArray], group: Group) -> AttainmentSide:
    best, median, worst = surfaces
    return AttainmentSide(style, title, best, median, worst, len(group.runs))


def _surfaces_graph(sides: Sequence[AttainmentSide], x: Quantity, y: Quantity, scheme: Scheme) -> Component:
    picture = attainment_figure(sides, x, y, scheme, height_px=FRONTS_HEIGHT_PX)
    return dcc.Graph(figure=picture, config=_GRAPH, className="run-graph")


def _boxes(
    found: StudyStatistics, titles: Sequence[str], styles: Sequence[RunStyle | None], scheme: Scheme
) -> Component:
    groups = [
        BoxGroup(title, group.values, _hints(group), style)
        for group, title, style in zip(found.groups, titles, styles, strict=True)
    ]
    graph = dcc.Graph(figure=boxes_figure(groups, found.measure, scheme), config=_GRAPH)
    words = "Every run a dot, the median a rule; boxes are quartiles, from five runs on."
    title = f"{found.measure.title} of every run"
    return _figure(title, words, graph, boxes_sentence(groups, found.measure), found)


def _hints(group: Group) -> list[str]:
    return [
        f"<b>run {each.run.pk:04d}</b>, seed {each.run.cell.get('seed', MISSING)}"
        for each in group.runs
        if each.value is not None
    ]


def _figure(title: str, words: str, graph: Component, sentence: str, found: StudyStatistics) -> Component:
    picture = html.Div(graph, className="figure", role="img", **{"aria-label": sentence})
    # All runs of a study are of one method, so that any of them says what to cite.
    cited = next((each.run.pk for group in found.groups for each in group.runs), 0)
    caption = html.Figcaption([html.B(title), html.Span(words, className="t3 grow")], className="sm")
    head = html.Div([caption, picture_menu(table=True, run=cited)], className="row top")
    return html.Figure([head, picture], className="picture", **{"data-name": title, "data-label": title})


def _groups_table(
    found: StudyStatistics, titles: Sequence[str], styles: Sequence[RunStyle | None]
) -> Component:  # fmt: skip
    unit = found.measure.unit
    columns = [Column("Group"), Column("Runs", number=True), Column("Median", number=True)]
    columns += [Column("Quartiles", number=True), Column("Least", number=True), Column("Largest", number=True)]
    columns += [Column("Median run")]
    rows: list[list[Component | str]] = []
    for group, title, style in zip(found.groups, titles, styles, strict=True):
        values, run = group.values, group.median_run
        every = len(group.runs) + group.left_out
        runs = integer(every) if len(values) == every else f"{integer(len(values))} of {integer(every)}"
        figures = [MISSING] * 4
        if values:
            low, middle, high = quartiles(values)
            ends = f"{si(low, unit)} – {si(high, unit)}"
            figures = [si(middle, unit, 4), ends, si(min(values), unit, 4), si(max(values), unit, 4)]
        link = dcc.Link(f"{run.run.pk:04d}", href=f"/runs/{run.run.pk}", className="mono") if run else MISSING
        rows.append([html.Span([group_letter(style), title], className="row g4"), runs, *figures, link])
    return plain_table(columns, rows)


# -- choices ----------------------------------------------------------------------------------------------------------


def median_runs(found: StudyStatistics) -> list[int]:
    """Return the numbers of the groups' median runs, as many as a comparison takes: for looking at what is typical side by side."""
    runs = [group.median_run for group in found.groups]
    return list(dict.fromkeys(run.run.pk for run in runs if run is not None and run.run.design_count))[:MOST]


def compare_link(found: StudyStatistics) -> Component | None:
    """Open the comparison of the groups' median runs; None where that would be fewer than two."""
    numbers = median_runs(found)
    if len(numbers) < FEWEST:
        return None
    address = f"/compare?runs={','.join(map(str, numbers))}"
    return link_button("Compare median runs", address, icon="git-compare", size="small")


def measure_choices(quantities: Sequence[Quantity]) -> list[dict[str, str]]:
    """Return the choices of metrics to compare runs by."""
    return [
        {"value": q.name, "label": q.title if q.name == "hypervolume" else f"Best {q.title[:1].lower()}{q.title[1:]}"}
        for q in quantities
    ]


def axis_choices(names: Sequence[str], engine: Engine) -> list[dict[str, str]]:
    """Return the axes whose values may be compared, as a list to pick from."""
    return [{"value": name or "none", "label": axis_title(name, engine)} for name in names]
