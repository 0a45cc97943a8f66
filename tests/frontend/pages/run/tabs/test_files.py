from __future__ import annotations

from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_the_data_tab_shows_what_run_and_design_report(people: People, run: Run, ask: Ask) -> None:
    text = panel(ask, people.viewer, run, "data")
    assert "5 steps made." in text and "The run" in text and "Design 0003" in text
