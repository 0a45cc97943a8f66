"""What writing a report asks of the server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from dash import no_update

from frontend.components import clicks
from tests.support.stored_runs import People
from webapp.reports import service
from webapp.runs.models import Run


def test_a_new_report_is_stored_and_its_page_shown(people: People, runs: list[Run], as_owner: Any) -> None:
    href, told = as_owner.save(1, "Which?", f"[[front run={runs[0].pk}]]", "lab", 0, 0)
    report = service.visible_reports(people.owner).get()
    assert (href, told) == (f"/reports/{report.pk}", "")
    assert as_owner.save(1, "Which?", "Neither.", "lab", report.pk, 1)[0] == href
    assert service.version_of(people.owner, report).number == 2


def test_who_comes_second_sees_both_changes_and_keeps_or_takes(
    people: People, runs: list[Run], as_owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = service.write(people.owner, "Which?", "One\nTwo", people.project)
    service.change(people.editor, report, "Which?", "One\nTheirs", 1)
    late, told = as_owner.save(1, "Which?", "Mine\nTwo", "lab", report.pk, 1)
    page = str(told)
    assert late is no_update and "eve saved version 2 while you were writing." in page and "must be" not in page
    assert "Del('Two')" in page and "Ins('Theirs')" in page and "Mine" in page and "Save mine as version 3" in page

    def chosen(name: str) -> Any:
        choice = {"type": "report-choice", "name": name, "number": 2}
        monkeypatch.setattr(clicks, "ctx", SimpleNamespace(triggered_id=choice))
        return as_owner.decide([1], "Which?", "Mine\nTwo", report.pk)

    assert chosen("on")[1] == "" and chosen("theirs")[2:] == ("Which?", "One\nTheirs", 2)
    assert chosen("mine")[0] == f"/reports/{report.pk}"
    assert service.version_of(people.owner, report).text == "Mine\nTwo"
    assert "saved version 3 while" in str(chosen("mine")[1]), "what came in between is asked about again"


def test_what_is_wrong_with_a_text_is_told(as_owner: Any) -> None:
    assert "line 1" in str(as_owner.preview(1, "[[picture]]"))
    assert "line 2" in str(as_owner.save(1, "Which?", "Text\n[[front]]", "lab", 0, 0)[1])
    assert "one run, which the block shows" in str(as_owner.insert(1, "front", [], "Text")[2])


def test_a_block_is_put_at_the_end_with_the_best_design(runs: list[Run], as_owner: Any) -> None:
    written, shown, told = as_owner.insert(1, "design", [str(runs[0].pk)], "Text")
    assert written.startswith(f"Text\n\n[[design run={runs[0].pk} design=") and shown and told == ""
    both = ",".join(str(run.pk) for run in runs)
    assert f"[[comparison runs={both}]]" in as_owner.insert(1, "comparison", [str(run.pk) for run in runs], "")[0]


def test_a_run_is_added_to_a_new_report_and_to_one_that_is_there(
    people: People, runs: list[Run], as_owner: Any
) -> None:
    href, _ = as_owner.add(1, "new", [{"run": runs[0].pk, "design": 2}])
    report = service.visible_reports(people.owner).get()
    text = service.version_of(people.owner, report).text
    assert href == f"/reports/edit?report={report.pk}"
    assert f"[[design run={runs[0].pk} design=2]]" in text and text.index("[[front") < text.index("[[caveats]]")
    assert "deleted, or you cannot" in str(as_owner.add(1, "new", [{"run": 9999, "design": None}])[1])
    as_owner.add(1, str(report.pk), [{"run": run.pk, "design": None} for run in runs])
    assert "[[comparison runs=" in service.version_of(people.owner, report).text
