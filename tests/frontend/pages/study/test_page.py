from __future__ import annotations

from frontend.pages.study.listing_data import list_view
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.cases import act, follow
from tests.support.stored_runs import People
from webapp.studies.models import Study


def test_strangers_are_told_that_there_is_no_such_study(people: People, study: Study, ask: Ask) -> None:
    assert follow(ask, people.stranger, study).status_code == 404
    assert act(ask, people.stranger, study, "stop").status_code == 404
    assert set(study.runs.values_list("status", flat=True)) == {"queued"}
    assert list_view(people.stranger).rows == ()
