"""Notes: remarks, and documents of several lines."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.contract.results import Note
from frontend.components.states import notice
from frontend.results.view import ResultView
from frontend.theme import Scheme


def _component(note: Note, _scheme: Scheme, _width_px: float) -> Component:
    if note.role == "document":
        return html.Pre(note.text, className="mono command tall", tabIndex=0)
    return notice(note.text, tone="warn" if note.level == "warning" else "plain")


VIEW = ResultView(Note, "words", lambda note: note.title, _component)
