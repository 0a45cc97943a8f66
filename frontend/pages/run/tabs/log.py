"""The log tab of the run page."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html
from dash.development.base_component import Component

from frontend.components.states import empty_state
from frontend.pages.run.tab import RunTab
from webapp.runs.models import LogLine
from webapp.runs.results import readers


def log_lines(lines: Sequence[LogLine]) -> Component:
    """Return the newest lines, oldest first."""
    if not lines:
        return empty_state(
            "file-text", "The log is empty", "Lines appear when the engine or its supervisor writes them."
        )
    rows = [
        html.Div(
            [
                html.Span(
                    line.time.strftime("%Y-%m-%d %H:%M:%S"), className="t3", title=f"{line.time.isoformat()} (UTC)"
                ),
                html.Span(
                    line.level, className={"error": "bad", "warning": "warn", "waiting": "warn"}.get(line.level, "t3")
                ),
                html.Span(line.text, className="log-text"),
            ],
            className="log-line mono",
        )
        for line in lines
    ]
    return html.Div(rows, className="log", role="log")


TAB = RunTab("log", "Log", lambda asked: log_lines(readers.log_lines(asked.run)), of_designs=False)
