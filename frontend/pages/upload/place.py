"""Parts around a drop area for files; `assets/upload.js` does the rest."""

from __future__ import annotations

from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from frontend.ids.upload import UploadIds


def file_progress() -> Component:
    """Return the progress bar of a file that is sent and read."""
    told = [html.Span(className="m5 el"), html.Span(className="sp"), html.Span(className="num t2 nw")]
    return html.Div(
        [html.Div(told, className="row sm"), html.Div(html.Div(), className="bar")],
        id=UploadIds.PROGRESS,
        className="stack upload-progress",
        hidden=True,
        role="status",
    )


def file_stores(draft: Any = None) -> list[Component]:
    """Return the answer to a file, what was said next to it, and the run that the page was opened from."""
    return [
        dcc.Store(id=UploadIds.ANSWER),
        dcc.Store(id=UploadIds.SAID),
        dcc.Store(id=UploadIds.DRAFT, data=draft or {}),
    ]
