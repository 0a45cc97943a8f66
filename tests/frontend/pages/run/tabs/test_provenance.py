from __future__ import annotations

from frontend.bridge import get_app
from tests.support.stored_runs import People
from webapp.annotations.marks import Marks
from webapp.comparisons.certainty import estimator_of
from webapp.runs.models import Run


def test_a_long_title_is_set_on_two_lines_and_stands_in_provenance_with_the_cost_model(
    people: People, run: Run
) -> None:
    get_app()
    from frontend.pages.run.header import header
    from frontend.pages.run.run_reader import designs_of
    from frontend.pages.run.tabs.provenance import provenance_tab

    run.title = "Run-time switching · Drone battery · Drone flight of two hours · NVIDIA Jetson TX2 · Five networks"
    page = str(header(run, designs_of(run), True, Marks()))
    assert "run-name long" in page
    told = str(provenance_tab(run))
    assert run.title in told
    found = estimator_of(run)
    assert found is None or f"{found.words} ({found.certainty})" in told
