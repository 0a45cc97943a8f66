"""Rows of studies."""

from __future__ import annotations

from typing import Any

from tests.support.stored_runs import make_people
from webapp.runs.models import Run
from webapp.studies import service
from webapp.studies.models import Study


def test_a_study_is_called_by_its_title_and_leaves_its_runs(db: Any, toys: None) -> None:
    people = make_people()
    made = [
        service.create(people.owner, {"engine": "toy", "seeds": [1, 2], "title": title}, people.project)
        for title in ("First", "Second")
    ]
    assert [each.title for each in Study.objects.all()] == ["Second", "First"], "the newest first"
    assert str(made[0]) == f"Study {made[0].pk}: First"
    Study.objects.filter(pk=made[0].pk).delete()
    assert Run.objects.filter(study=None).count() == 2 and Run.objects.filter(study=made[1]).count() == 2
