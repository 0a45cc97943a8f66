"""The data tab of the run page: the results of the run and of its selected design besides grid and schedule.

The first figures among them stand on the overview, below its cards.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component

from engines.contract.encoding.result_json import equal
from engines.contract.results import Note, Result
from engines.exchange.export import result_table, to_csv
from frontend.components.button import button
from frontend.components.card import card
from frontend.components.pictures.figure_menu import data_item, figure_menu
from frontend.components.states import empty_state
from frontend.components.static_part import static_part
from frontend.ids.run import RunIds
from frontend.pages.run.design.card import design_name
from frontend.pages.run.design.documents import for_catalogue, store_button
from frontend.pages.run.design.pictures import on_card
from frontend.pages.run.run_reader import designs_of, grid_of, schedule_of, trace_of
from frontend.pages.run.sizes import sizes
from frontend.pages.run.tab import RunTab, TabQuery, results_of_design
from frontend.pages.run.tabs.files import files_card
from frontend.pages.run.tabs.statistics import statistics_section
from frontend.results.registry import draw, view_of
from frontend.theme import Scheme
from webapp.runs.results import readers

OF_RUN, OF_DESIGN = "run", "design"
MOST_FIGURES = 4
_GAP_PX, _TWO_COLUMNS_PX = 12, 1000


def results_tab(
    of_run: Mapping[str, Result],
    of_design: Sequence[Result],
    design_words: str,
    scheme: Scheme,
    width_px: int,
    live: bool,
) -> Component:
    """Return both groups, the run's own first.

    Args:
        of_run: the run's own results by name.
        of_design: the results of the selected design.
        design_words: name of the design; "" if none is selected.
        scheme: light or dark.
        width_px: width of the page's content.
        live: whether more may come.
    """
    # What was measured while it searched stands on a tab of its own.
    own = [result for result in of_run.values() if view_of(result).kind != "placed" and result.role != "measured"]
    # What the run and its design both say, word for word and value for value, is shown once.
    rest = [
        result
        for result in of_design
        if view_of(result).kind != "placed" and not equal(result, of_run.get(result.name))
    ]
    groups = [_group("The run", own, OF_RUN, scheme, width_px), _group(design_words, rest, OF_DESIGN, scheme, width_px)]
    shown = [group for group in groups if group is not None]
    if not shown:
        words = "They appear here as soon as the engine reports them." if live else "The engine reported none."
        return empty_state("table", "No results except the designs", words)
    return html.Div(shown, className="stack g16")


def overview_figures(
    of_run: Mapping[str, Result], of_design: Sequence[Result], viewport: Mapping[str, Any]
) -> tuple[list[Result], list[Result]]:
    """Return the figures below the cards of the overview: of the selected design, without those on its cards, and of the run.

    At most `MOST_FIGURES` of each. Curves of progress stand on the tab *Convergence*.
    """
    cards = [] if grid_of(of_design) else on_card(of_design, sizes(viewport).pictures)
    trace = None if schedule_of(of_design) else trace_of(of_design)
    elsewhere = {id(result) for result in (*cards, trace)}
    design = [each for each in of_design if view_of(each).kind == "figure" and id(each) not in elsewhere]
    named = {each.name: each for each in of_design}
    run = [
        each
        for each in of_run.values()
        if view_of(each).kind == "figure" and each.role == "" and not equal(each, named.get(each.name))
    ]
    return design[:MOST_FIGURES], run[:MOST_FIGURES]


def figure_cards(figures: Sequence[Result], kind: str, scheme: Scheme, viewport: Mapping[str, Any]) -> Component | None:
    """Return the figures below the cards of the overview; None where there is none."""
    return _cards(figures, kind, scheme, sizes(viewport).content)


def _group(title: str, results: Sequence[Result], kind: str, scheme: Scheme, width_px: int) -> Component | None:
    if not results:
        return None
    remarks = [result for result in results if isinstance(result, Note) and result.role != "document"]
    shown = [result for result in results if not isinstance(result, Note) or result.role == "document"]
    notes = [_note(result, scheme) for result in remarks]
    return html.Section(
        [
            html.H2(title, className="section-title"),
            html.Div(notes, className="stack") if notes else None,
            _cards(shown, kind, scheme, width_px),
        ],
        className="stack",
        **{"aria-label": title},
    )


def _cards(results: Sequence[Result], kind: str, scheme: Scheme, width_px: int) -> Component | None:
    if not results:
        return None
    columns = 2 if width_px >= _TWO_COLUMNS_PX and len(results) > 1 else 1
    each = (width_px - _GAP_PX * (columns - 1)) / columns
    style = {"gridTemplateColumns": f"repeat({columns}, minmax(0, 1fr))"}
    cards = [_card(result, kind, scheme, width_px if view_of(result).wide(result) else each) for result in results]
    return html.Div(cards, className="run-grids results", style=style)


def _note(note: Note, scheme: Scheme) -> Component:
    return html.Div([html.Span(note.title, className="b sm note-title"), draw(note, scheme)], className="row top")


def _card(result: Result, kind: str, scheme: Scheme, width_px: float) -> Component:
    item_id = {"type": RunIds.RESULT_TYPE, "of": kind, "name": result.name}
    if result.role == "document":
        save = button("File", id=item_id, icon="download", kind="quiet", size="small")
        store = store_button(kind, result.name) if for_catalogue(result) else None
        told = html.Div(id={"type": RunIds.STORED_TYPE, "of": kind, "name": result.name}, role="status")
        return card(result.title, told, draw(result, scheme, width_px), actions=[store, save], level=3)
    view = view_of(result)
    if view.kind == "table":
        action: Component = button("CSV", id=item_id, icon="download", kind="quiet", size="small")
    else:
        action = figure_menu(data_item("Data as CSV", item_id), figure_data=f"{kind}:{result.name}")
    drawn = draw(result, scheme, width_px)
    # Hundreds of cells as Dash's components would hold the browser up for seconds. Long tables are grids, which do not.
    body = static_part(drawn) if view.kind == "table" and isinstance(drawn, html.Div) else drawn
    wide = "wide" if view.wide(result) else ""
    return card(result.title, body, actions=[action], flush=True, class_name=wide, level=3)


def result_file(results: Sequence[Result], name: str) -> tuple[bytes, str]:
    """Return one of the results as a file and the end of its name: a document as it is, all else as CSV.

    Raises:
        LookupError: none has that name.
    """
    found = next((result for result in results if result.name == name), None)
    if isinstance(found, Note) and found.role == "document":
        return found.text.encode(), found.name
    return BOM_UTF8 + result_csv(results, name), f"{name}.csv"


def result_csv(results: Sequence[Result], name: str) -> bytes:
    """Return one of the results as CSV, at full precision.

    Raises:
        LookupError: none has that name.
    """
    found = next((result for result in results if result.name == name), None)
    if found is None:
        raise LookupError(f"The result must be one of {[result.name for result in results]}. Got {name!r} instead.")
    return to_csv(result_table(found))


def _made(asked: TabQuery) -> Component:
    run, designs = asked.run, designs_of(asked.run)
    found = results_of_design(asked) if asked.design is not None else ()
    of_design = found if isinstance(found, tuple) else ()
    words = design_name(designs, asked.design) if asked.design is not None else ""
    of_run = readers.results(run)
    if of_design:
        shown = {each.name: each for figures in overview_figures(of_run, of_design, asked.viewport) for each in figures}
        of_run = {name: each for name, each in of_run.items() if not equal(each, shown.get(name))}
        of_design = tuple(each for each in of_design if not equal(each, shown.get(each.name)))
    tab = results_tab(of_run, of_design, words, asked.scheme, asked.width_px, run.active)
    rest = [] if isinstance(found, tuple) else [found]
    return html.Div(
        [statistics_section(run.pk, run.engine, designs), files_card(run), tab, *rest], className="stack g16"
    )


TAB = RunTab("data", "Data", _made, of_designs=False)
