from __future__ import annotations

from engines.registry import get_engine
from frontend.ids.study import NewStudyIds
from frontend.pages.study.new.form import StudyDraft, opening_state
from frontend.pages.study.new.summary import judge
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.cases import form, judged
from tests.support.stored_runs import People
from webapp.studies.models import Study


def test_cells_and_time_stand_beside_the_form_before_the_start(people: People, ask: Ask) -> None:
    answer = judged(ask, people.owner, form(["simba-3x3-nvdla", "simba-3x3-het-sides"], n_splits=["2", "3"]))
    assert "'8'" in str(answer[NewStudyIds.SUMMARY]) and answer[NewStudyIds.JUDGED]["data"]["token"]
    assert "seeds: [0, 1]" in answer[NewStudyIds.DOCUMENT]["children"]
    assert not Study.objects.exists()


def test_the_page_opens_with_what_its_first_summary_would_be_made_of(people: People, ask: Ask) -> None:
    draft = StudyDraft("scar", {"hardware": ("simba-3x3-nvdla",), "workload": ("mlperf-scenario-1",)}, seeds="0-1")
    judgement = judge(people.owner, draft)
    answer = judged(ask, people.owner, form(["simba-3x3-nvdla"]))
    shown = answer[NewStudyIds.JUDGED]["data"]
    assert shown == opening_state(judgement.token, draft, get_engine("scar"))
