from __future__ import annotations

from typing import Any

import pytest

from frontend.bridge import get_app
from frontend.ids.study import NewStudyIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.cases import form, judged
from tests.support.stored_runs import People
from webapp.studies.models import Study


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
    assert "The page changed" in str(answer[NewStudyIds.START_ERROR])


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
