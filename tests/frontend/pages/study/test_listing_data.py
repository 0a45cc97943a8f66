from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from frontend.pages.study.listing_data import list_view
from tests.support.stored_runs import People
from webapp.studies import service
from webapp.studies.models import Study


def test_the_list_takes_four_queries_however_many_studies_there_are(people: People, study: Study) -> None:
    service.create(people.owner, {"engine": "toy", "title": "One"}, project=people.project)
    with CaptureQueriesContext(connection) as seen:
        view = list_view(people.viewer)
    assert len(seen) == 4 and [row["title"] for row in view.rows] == ["One", "Four"] and view.live
    assert (view.rows[1]["runs"], view.rows[1]["state"], view.rows[1]["fact"]) == ("4", "Queued", "0 of 4")
