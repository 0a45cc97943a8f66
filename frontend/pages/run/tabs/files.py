"""The files that a run produced, to download: code, weights, models."""

from __future__ import annotations

from urllib.parse import quote

from dash import html
from dash.development.base_component import Component

from frontend.components.card import card
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import si
from webapp.runs.models import Run
from webapp.runs.storage.files import list_files


def files_card(run: Run) -> Component | None:
    """Name, size and link of every file; None where the run has none."""
    files = list_files(run)
    if not files:
        return None
    rows = [
        [
            html.A(file.name, href=f"/api/v1/runs/{run.pk}/files/{quote(file.name)}", download="", className="mono"),
            file.media_type,
            si(float(file.blob.size), "B"),
        ]
        for file in files
    ]
    columns = [Column("File"), Column("Type"), Column("Size", number=True)]
    return card("Files", html.Div(plain_table(columns, rows), className="table-scroll"), flush=True)
