"""The line above a run's figures that says what is degenerate about its result."""

from __future__ import annotations

from typing import Any

from dash import Input, Output, State, callback, html
from dash.development.base_component import Component

from frontend.components.icon import icon
from frontend.designs.degenerate import remarks_on_result
from frontend.designs.run_designs import RunDesigns
from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import curve_of, designs_of, open_run
from webapp.runs.models import Run


def result_remarks(run: Run, designs: RunDesigns) -> list[Component]:
    """Return notes on the result of an ended run; empty for a running one or for one with several front designs."""
    if run.active or not len(designs):
        return []
    curve = curve_of(run)
    found = remarks_on_result(designs, run.evaluations, curve.evaluations, curve.hypervolume)
    return [html.Li([icon("info-circle", "s", "t3"), html.Span(words)]) for words in found]


@callback(
    Output(RunIds.RESULT_REMARKS, "children"),
    Input(RunIds.STAGE, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_result_remarks(_stage: dict[str, Any], run_id: int) -> Any:
    """Show the remarks as soon as a run has ended, and remove them when it continues."""
    run = open_run(run_id)
    return result_remarks(run, designs_of(run))
