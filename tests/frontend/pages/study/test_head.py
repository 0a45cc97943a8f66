from __future__ import annotations

from frontend.ids.study import StudyIds
from frontend.pages.study.head import size_words
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.cases import act
from tests.support.stored_runs import People
from webapp.studies.models import Study


def test_all_runs_are_stopped_and_continued(people: People, study: Study, ask: Ask) -> None:
    assert act(ask, people.editor, study, "stop").status_code == 200
    assert set(study.runs.values_list("status", flat=True)) == {"stopped"}
    refused = act(ask, people.viewer, study, "continue").json()["response"]
    assert "editor" in str(refused[StudyIds.ACTION_ERROR])
    act(ask, people.editor, study, "continue")
    assert set(study.runs.values_list("status", flat=True)) == {"queued"}


def test_the_size_of_a_grid_counts_in_plurals() -> None:
    study = Study(
        document={"inputs": {"method": ["a", "b"], "hardware": ["c", "d"], "workload": ["e"]}, "seeds": [1, 2, 3]}
    )
    assert size_words(study) == "2 methods × 2 hardware × 3 seeds"
