"""The pages of studies, as the browser asks for them."""

from __future__ import annotations

from frontend.ids.study import StudyIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.cases import follow
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.studies.models import Study


def test_the_page_follows_and_says_nothing_while_nothing_changes(people: People, study: Study, ask: Ask) -> None:
    first = follow(ask, people.viewer, study).json()["response"]
    digest = first[StudyIds.DIGEST]["data"]
    assert "0 of 4" in str(first[StudyIds.PROGRESS]) and first[StudyIds.TICK]["disabled"] is False
    assert "Stop all" not in str(first[StudyIds.ACTIONS]), "a viewer stops nothing"
    assert follow(ask, people.owner, study, digest=digest).status_code == 204
    Run.objects.filter(study=study).update(status="done", fraction=1.0)
    done = follow(ask, people.owner, study, digest=digest).json()["response"]
    assert done[StudyIds.TICK]["disabled"] is True and "Done" in str(done[StudyIds.HEADER])


def test_another_arrangement_forgets_the_picked_cell(people: People, study: Study, ask: Ask) -> None:
    kept = follow(ask, people.owner, study, selected="0.1").json()["response"]
    assert kept[StudyIds.SELECTED]["data"] == "0.1" and kept[StudyIds.CELL]["children"]
    other = follow(ask, people.owner, study, StudyIds.COLUMNS, columns="none", selected="0.1").json()["response"]
    assert other[StudyIds.SELECTED]["data"] is None and not other[StudyIds.CELL]["children"]
    assert other[StudyIds.COLUMNS]["value"] == "none"


# -- the form ---------------------------------------------------------------------------------------------------------
