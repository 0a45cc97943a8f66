"""Documents that a design brings along - a package found by a search - into the catalogue."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from dash import MATCH, Input, Output, State, callback, html
from dash.development.base_component import Component

from engines.contract.errors import EngineError, ProblemError
from engines.contract.results import CATALOGUE, Note, Result
from engines.documents.document_consumers import taker_of
from frontend.components.button import button, link_button
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import explained, open_run
from frontend.request import chosen_project, current_user
from webapp.catalogue.imports import ImportOutcome, Upload, import_upload
from webapp.runs.results import readers

_OF_RUN = "run"


def for_catalogue(result: Result) -> bool:
    """Return whether a result is a document of the catalogue."""
    return isinstance(result, Note) and result.role == "document" and result.belongs_to == CATALOGUE


def store_button(of: str, name: str) -> Component:
    """Return the button that stores a document."""
    item_id = {"type": RunIds.STORE_TYPE, "of": of, "name": name}
    words = "Keep it as a version of a document, to explore with it"
    return button("Save to catalogue", id=item_id, icon="books", size="small", title=words)


def store_document(user: Any, note: Note) -> ImportOutcome:
    """Store a design's document in the project that the user has chosen.

    Raises:
        ProblemError: the catalogue refuses the document.
    """
    project = chosen_project(user)
    return import_upload(user, project, Upload(note.name, note.text.encode(), next_version=True))


def stored_words(stored: ImportOutcome) -> Component:
    """Return the message on the stored document, with a link to use it."""
    state = "Saved to the catalogue as" if stored.created else "The catalogue has it already as"
    name = stored.slug if stored.project is None else f"{stored.project}/{stored.slug}"
    taker = taker_of(stored.kind, stored.schema)
    ways = [link_button("Open in the catalogue", f"/catalogue/{stored.kind}/{quote(name)}", size="small")]
    if taker is not None:
        address = f"/new?engine={taker[0]}&{taker[1]}={quote(name)}"
        ways.insert(0, link_button("Explore with it", address, kind="primary", size="small"))
    return html.Div(
        [
            notice(f"{state} {stored.title} (version {stored.version})."),
            html.Div(ways, className="row"),
        ],
        className="stack",
    )


@callback(
    Output({"type": RunIds.STORED_TYPE, "of": MATCH, "name": MATCH}, "children"),
    Input({"type": RunIds.STORE_TYPE, "of": MATCH, "name": MATCH}, "n_clicks"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def store(clicks: int | None, selection: dict[str, Any], run_id: int) -> Any:
    """Save the document to the catalogue, and say where it is."""
    source = clicked_id([clicks])
    run, number = open_run(run_id), selection.get("design")
    try:
        of_run = source["of"] == _OF_RUN or number is None
        results = tuple(readers.results(run).values()) if of_run else explained(run, int(number or 0))
        note = next(
            each for each in results if isinstance(each, Note) and each.name == source["name"] and for_catalogue(each)
        )
        return stored_words(store_document(current_user(), note))
    except (EngineError, ProblemError, LookupError, StopIteration) as error:
        return notice(str(error) or "This document no longer exists.", tone="warn")
