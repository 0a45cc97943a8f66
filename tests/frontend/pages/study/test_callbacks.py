"""The pages of studies, as the browser asks for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.recent import Recent
from engines.registry import get_engine
from frontend.bridge import get_app
from frontend.components.form import field_specs, format_value, help_text
from frontend.ids.study import NewStudyIds, StudyIds, StudyListIds
from frontend.pages.study.listing_data import list_view
from frontend.pages.study.new.form import StudyDraft, opening_state
from frontend.pages.study.new.summary import judge
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.studies import service, values
from webapp.studies.models import Study


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "_known", Recent(10))
    monkeypatch.setattr("webapp.runs.bell.ring", lambda: None)


@pytest.fixture
def study(people: People) -> Study:
    grid = {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2], "title": "Four"}
    return service.create(people.owner, grid, project=people.project)


def key(**parts: str) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def follow(ask: Ask, user: Any, study: Study, changed: str = StudyIds.TICK, **asked: Any) -> Any:
    shown = {"rows": "params.steps", "columns": "seed", "quantity": "latency_s", "selected": None, "digest": ""} | asked
    properties = {"rows": "value", "columns": "value", "quantity": "value", "selected": "data", "digest": "data"}
    given = {f"{StudyIds[name.upper()]}.{properties[name]}": value for name, value in shown.items()}
    given |= {f"{StudyIds.TICK}.n_intervals": 1, f"{StudyIds.STUDY}.data": study.pk}
    prop = "n_intervals" if changed == StudyIds.TICK else "value"
    return ask(user, f"{StudyIds.TABLE}.children", given, f"{changed}.{prop}")


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


def act(ask: Ask, user: Any, study: Study, name: str) -> Any:
    button = key(name=name, type=StudyIds.ACTION_TYPE)
    given = {f"{button}.n_clicks": 1, f"{StudyIds.STUDY}.data": study.pk}
    return ask(user, f"{StudyIds.ACTION_ERROR}.children", given, f"{button}.n_clicks")


def test_all_runs_are_stopped_and_continued(people: People, study: Study, ask: Ask) -> None:
    assert act(ask, people.editor, study, "stop").status_code == 200
    assert set(study.runs.values_list("status", flat=True)) == {"stopped"}
    refused = act(ask, people.viewer, study, "continue").json()["response"]
    assert "editor" in str(refused[StudyIds.ACTION_ERROR])
    act(ask, people.editor, study, "continue")
    assert set(study.runs.values_list("status", flat=True)) == {"queued"}


def test_strangers_are_told_that_there_is_no_such_study(people: People, study: Study, ask: Ask) -> None:
    assert follow(ask, people.stranger, study).status_code == 404
    assert act(ask, people.stranger, study, "stop").status_code == 404
    assert set(study.runs.values_list("status", flat=True)) == {"queued"}
    assert list_view(people.stranger).rows == ()


def test_the_list_takes_two_queries_however_many_studies_there_are(people: People, study: Study) -> None:
    service.create(people.owner, {"engine": "toy", "title": "One"}, project=people.project)
    with CaptureQueriesContext(connection) as seen:
        view = list_view(people.viewer)
    assert len(seen) == 2 and [row["title"] for row in view.rows] == ["One", "Four"] and view.live
    assert (view.rows[1]["runs"], view.rows[1]["state"], view.rows[1]["fact"]) == ("4", "Queued", "0 of 4")


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


# -- the form ---------------------------------------------------------------------------------------------------------


def form(hardware: list[str], seeds: str = "0-1", **changed: Any) -> dict[str, Any]:
    given: dict[str, Any] = {f"{NewStudyIds.ENGINE}.value": "scar", f"{NewStudyIds.SEEDS}.value": seeds}
    given[f"{NewStudyIds.TITLE}.value"], given[f"{NewStudyIds.STOP_AFTER}.value"] = "From the form", ""
    for slot, slugs in (("hardware", hardware), ("workload", ["mlperf-scenario-1"])):
        given[f"{key(slot=slot, type=NewStudyIds.SLOT_TYPE)}.value"] = slugs
        given[f"{key(slot=slot, type=NewStudyIds.SLOT_ERROR_TYPE)}.children"] = ""
    for spec in field_specs(get_engine("scar").Params):
        value = changed.get(spec.name, format_value(spec, spec.default))
        given[f"{key(name=spec.name, type=NewStudyIds.PARAMETER_TYPE)}.value"] = value
        given[f"{key(name=spec.name, type=f'{NewStudyIds.PARAMETER_TYPE}-help')}.children"] = ""
        given[f"{key(name=spec.name, type=f'{NewStudyIds.PARAMETER_TYPE}-field')}.className"] = ""
    return given


def judged(ask: Ask, user: Any, given: dict[str, Any]) -> Any:
    return ask(user, f"{NewStudyIds.SUMMARY}.children", given, f"{NewStudyIds.SEEDS}.value").json()["response"]


def test_cells_and_time_stand_beside_the_form_before_the_start(people: People, ask: Ask) -> None:
    answer = judged(ask, people.owner, form(["simba-3x3-nvdla", "simba-3x3-het-sides"], n_splits=["2", "3"]))
    assert "'8'" in str(answer[NewStudyIds.SUMMARY]) and answer[NewStudyIds.JUDGED]["data"]["token"]
    assert "seeds: [0, 1]" in answer[NewStudyIds.DOCUMENT]["children"]
    assert not Study.objects.exists()


def test_every_field_keeps_its_help_when_another_became_an_axis(people: People, ask: Ask) -> None:
    given = form(["simba-3x3-nvdla"], objective=["edp", "latency"])
    replaced = f"{key(name='objective', type=NewStudyIds.PARAMETER_TYPE)}.value"
    given[replaced] = given.pop(replaced)  # a control that was drawn anew stands last
    answer = judged(ask, people.owner, given)
    for spec in field_specs(get_engine("scar").Params):
        named = key(name=spec.name, type=f"{NewStudyIds.PARAMETER_TYPE}-help")
        assert answer[named]["children"] == help_text(spec)


@pytest.mark.parametrize(
    ("hardware", "changed", "words"),
    [
        (["simba-3x3-nvdla"], {"n_splits": ["2", "99"]}, "n_splits=99"),
        (["simba-3x3-nvdla"], {"evaluations": "many"}, "Got many"),
        ([], {}, "None"),
        (["simba-3x3-nvdla"], {"seeds": "one"}, "Got one"),
        (["simba-3x3-nvdla"], {"seeds": ""}, "at least one value"),
        (["simba-3x3-nvdla"], {"seeds": "0-999", "n_splits": ["2", "3"]}, "at most 1000 cells"),
    ],
)
def test_a_mistake_is_told_and_nothing_can_be_started(
    people: People, ask: Ask, hardware: list[str], changed: dict[str, Any], words: str
) -> None:
    answer = judged(ask, people.owner, form(hardware, **changed))
    assert words in str(answer[NewStudyIds.SUMMARY]) and not answer[NewStudyIds.JUDGED]["data"]["token"]


def begin(ask: Ask, user: Any, given: dict[str, Any], shown: dict[str, Any]) -> Any:
    asked = {**given, f"{NewStudyIds.START}.n_clicks": 1, f"{NewStudyIds.JUDGED}.data": shown}
    return ask(user, f"{NewStudyIds.LOCATION}.href", asked, f"{NewStudyIds.START}.n_clicks").json()["response"]


def test_start_stores_the_study_and_leads_to_it(people: People, ask: Ask) -> None:
    given = form(["simba-3x3-nvdla"], objective=["edp", "latency"])
    shown = judged(ask, people.stranger, given)[NewStudyIds.JUDGED]["data"]
    answer = begin(ask, people.stranger, given, shown)
    study = Study.objects.get()
    assert answer[NewStudyIds.LOCATION]["href"] == f"/studies/{study.pk}"
    assert (study.title, study.owner, study.runs.count()) == ("From the form", people.stranger, 4)
    assert answer[NewStudyIds.JUDGED]["data"]["token"] == ""  # a second click finds nothing to start


def test_a_study_that_is_not_the_one_of_the_summary_is_not_started(people: People, ask: Ask) -> None:
    shown = judged(ask, people.stranger, form(["simba-3x3-nvdla"], n_splits="2"))[NewStudyIds.JUDGED]["data"]
    answer = begin(ask, people.stranger, form(["simba-3x3-nvdla"], n_splits="3"), shown)
    assert not Study.objects.exists() and answer[NewStudyIds.AGAIN]["data"] == 1
    assert "What was shown has changed" in str(answer[NewStudyIds.START_ERROR])


def test_the_page_opens_with_what_its_first_summary_would_be_made_of(people: People, ask: Ask) -> None:
    draft = StudyDraft("scar", {"hardware": ("simba-3x3-nvdla",), "workload": ("mlperf-scenario-1",)}, seeds="0-1")
    judgement = judge(people.owner, draft)
    answer = judged(ask, people.owner, form(["simba-3x3-nvdla"]))
    shown = answer[NewStudyIds.JUDGED]["data"]
    assert shown == opening_state(judgement.token, draft, get_engine("scar"))


def test_a_parameter_becomes_an_axis_and_one_value_again(people: People) -> None:
    get_app()
    from frontend.pages.study.new.callbacks import vary

    which = {"type": NewStudyIds.EACH_TYPE, "name": "n_splits"}
    several = str(vary(True, "4", which, "scar"))
    assert "TagsInput" in several and "value=['4']" in several
    single = str(vary(False, ["3", "5"], which, "scar"))
    assert "TextInput" in single and "value='3'" in single
    assert "value='4'" in str(vary(False, [], which, "scar"))
    choice = str(vary(True, "edp", {**which, "name": "objective"}, "scar"))
    assert "MultiSelect" in choice and "value=['edp']" in choice
