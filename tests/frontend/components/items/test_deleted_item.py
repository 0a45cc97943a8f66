"""What is deleted says so to those who may know it, at every address that names it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from frontend.components import clicks
from frontend.components.items import deleted_item as component
from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People, finished_run
from webapp.base.actor import Actor, acting
from webapp.catalogue.copies import copy_of
from webapp.catalogue.service import store_version
from webapp.deletions.service import delete
from webapp.reports.service import write
from webapp.runs.models import Run

UNKNOWN = "a project of which you are no member"


@pytest.fixture
def gone(people: People, run: Any) -> Any:
    run.title = "Which board?"
    run.save()
    return run


def test_a_deleted_run_says_so_wherever_it_is_named(people: People, gone: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    other = finished_run(people, steps=1, designs_per_step=1)
    report = write(people.owner, "Which?", f"[[front run={gone.pk}]]", people.project)
    with acting(Actor(lambda: "browser", lambda: people.owner)):
        delete(people.owner, "run", gone.pk)
    said = f"Run {gone.pk}, “Which board?”, was deleted by you"
    for path, query in (
        (f"/runs/{gone.pk}", ""), ("/compare", f"?runs={gone.pk},{other.pk}"), (f"/reports/{report.pk}", ""),
        ("/new", f"?from={gone.pk}"), ("/reports/add", f"?runs={gone.pk}"), ("/reports/add", f"?runs={gone.pk},{other.pk}"),
    ):  # fmt: skip
        mine, theirs = page(people.editor, path, query), page(people.viewer, path, query)
        assert "was deleted by ann" in mine and "deleted-back" in mine and said in page(people.owner, path, query), path
        assert "was deleted by ann" in theirs and '"deleted-back"' not in theirs, "viewers bring nothing back"
    assert "was deleted" not in page(people.stranger, f"/runs/{gone.pk}") and UNKNOWN in page(
        people.stranger, f"/runs/{gone.pk}"
    )
    shown = page(people.stranger, "/compare", f"?runs={gone.pk},{other.pk},99999")
    assert "was deleted" not in shown and f"Not shown: run {gone.pk}, {other.pk}, 99999" in shown

    monkeypatch.setattr(clicks, "ctx", SimpleNamespace(triggered_id={"kind": "run", "number": gone.pk}))
    for person, words in ((people.viewer, "needs the role editor"), (people.editor, "It is back.")):
        monkeypatch.setattr(component, "current_user", lambda person=person: person)
        assert words in str(component.bring_back(1))
    assert Run.objects.get(pk=gone.pk).deleted is None


def test_studies_reports_and_documents_too(people: People) -> None:
    content = {**copy_of(people.owner, "hardware", "jetson-tx2"), "slug": "board"}
    document = store_version(people.owner, people.project, "hardware", content).document
    report = write(people.owner, "Which?", "Text", people.project)
    delete(people.owner, "document", document.pk)
    delete(people.owner, "report", report.pk)
    for path in ("/catalogue/hardware/lab/board", f"/reports/{report.pk}"):
        assert "was deleted" in page(people.viewer, path) and UNKNOWN in page(people.stranger, path)
