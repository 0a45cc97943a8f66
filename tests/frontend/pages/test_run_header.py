"""The head of the run page says where the run belongs."""

from __future__ import annotations

import pytest

from frontend.bridge import get_app
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.studies import service


def links(run: Run) -> dict[str, str]:
    get_app()
    from frontend.pages.run_header import _study_link

    return {part.href: part.children for part in _study_link(run) if hasattr(part, "href")}


def test_a_run_of_a_study_links_back_to_it_and_others_do_not(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.bell.ring", lambda: None)
    grid = {"engine": "toy", "title": "Grid", "params": {"steps": {"each": [1, 2]}}, "seeds": [1]}
    study = service.create(people.owner, grid, project=people.project)
    run = Run.objects.filter(study=study).first()
    assert run is not None
    assert links(run) == {f"/studies/{study.pk}": "Grid"}
    run.study = None
    assert links(run) == {}


def test_a_long_title_is_set_on_two_lines_and_stands_in_provenance_with_the_cost_model(
    people: People, run: Run
) -> None:
    get_app()
    from frontend.pages.run_header import estimator_words, header
    from frontend.pages.run_tabs import provenance_tab
    from frontend.pages.run_view import designs_of

    run.title = "Run-time switching · Drone battery · Drone flight of two hours · NVIDIA Jetson TX2 · Five networks"
    page = str(header(run, designs_of(run), editable=True))
    assert "run-name long" in page
    told = str(provenance_tab(run))
    assert run.title in told
    words = estimator_words(run)
    assert words is None or words[0] in told
