"""Data sets, trained weights and environments in the catalogue: a line each, and the exploration that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from dash import dcc, html
from dash.development.base_component import Component

from engines.documents.document_consumers import takers_of
from frontend.components.table import Column, plain_table
from frontend.designs.run_words import engine_title
from frontend.pages.catalogue.data import address_of
from webapp.catalogue.service import DocumentEntry

KINDS = {"data": "Data sets", "weights": "Trained weights", "environment": "Environments"}
# Those that have a page of their own.
_WITH_PAGE = ("environment/", "recording/")


def learning_table(kind: str, entries: Sequence[DocumentEntry]) -> Component:
    """Return one line per document: content, project, source, and links to new runs with it."""
    columns = [Column(KINDS[kind]), Column("Holds"), Column("Version", number=True), Column("Owner"), Column("Explore")]
    rows = [_cells(entry) for entry in entries]
    table = html.Div(plain_table(columns, rows), className="table-scroll")
    return html.Section(table, className="card", **{"aria-label": KINDS[kind]})


def _cells(entry: DocumentEntry) -> list[Component | str]:
    source = str(entry.content.get("source", ""))
    words = dcc.Link(entry.title, href=address_of(entry)) if entry.schema.startswith(_WITH_PAGE) else entry.title
    title = html.Div([html.Div(words), html.Div(entry.name, className="xs t3 mono")], title=source)
    owner = "built in" if entry.builtin else str(entry.project)
    links = [
        html.Div(dcc.Link(engine_title(engine), href="/new?" + urlencode({"engine": engine, slot: entry.name})))
        for engine, slot in takers_of(entry.kind, entry.schema)
    ]
    return [title, entry.summary, f"v{entry.version}", owner, html.Div(links, className="nw")]
