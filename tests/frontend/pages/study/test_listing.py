from __future__ import annotations

from frontend.bridge import get_app
from frontend.ids.study import StudyListIds
from frontend.pages.study.listing_data import list_view
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.studies.models import Study


def test_a_list_without_studies_has_what_its_callbacks_name_and_shows_the_first_one(
    people: People, study: Study, ask: Ask
) -> None:
    get_app()
    from frontend.pages.study.listing import list_card  # a page, which registers itself with the application

    empty = list_card(list_view(people.stranger)).to_plotly_json()["props"]["children"]
    assert [(part.id, part.hidden) for part in empty] == [(StudyListIds.EMPTY, False), (StudyListIds.THERE, True)]
    assert all(name in str(empty) for name in (StudyListIds.TABLE, StudyListIds.COUNT))
    given = {f"{StudyListIds.TICK}.n_intervals": 1, f"{StudyListIds.DIGEST}.data": "another"}
    answer = ask(people.viewer, f"{StudyListIds.TABLE}.rowData", given, f"{StudyListIds.TICK}.n_intervals").json()
    shown = answer["response"]
    assert [row["title"] for row in shown[StudyListIds.TABLE]["rowData"]] == ["Four"]
    assert shown[StudyListIds.EMPTY] == {"hidden": True} and shown[StudyListIds.THERE] == {"hidden": False}
    assert shown[StudyListIds.COUNT] == {"children": "1"}
