"""What writing a report asks of the server."""

from __future__ import annotations

from typing import Any

from dash import no_update

from tests.support.stored_runs import People
from webapp.reports import service
from webapp.runs.models import Run


def test_a_new_report_is_stored_and_its_page_shown(people: People, runs: list[Run], as_owner: Any) -> None:
    href, told = as_owner.save(1, "Which?", f"[[front run={runs[0].pk}]]", "lab", 0, 0)
    report = service.visible_reports(people.owner).get()
    assert (href, told) == (f"/reports/{report.pk}", "")
    assert as_owner.save(1, "Which?", "Neither.", "lab", report.pk, 1)[0] == href
    assert service.version_of(people.owner, report).number == 2
    late, told = as_owner.save(1, "Which?", "Both.", "lab", report.pk, 1)
    assert late is no_update and "changed the report since" in str(told)


def test_what_is_wrong_with_a_text_is_told(as_owner: Any) -> None:
    assert "line 1" in str(as_owner.preview(1, "[[picture]]"))
    assert "line 2" in str(as_owner.save(1, "Which?", "Text\n[[front]]", "lab", 0, 0)[1])
    assert "the run that the block is about" in str(as_owner.insert(1, "front", [], "Text")[2])


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
    assert "gone, or not for you" in str(as_owner.add(1, "new", [{"run": 9999, "design": None}])[1])
    as_owner.add(1, str(report.pk), [{"run": run.pk, "design": None} for run in runs])
    assert "[[comparison runs=" in service.version_of(people.owner, report).text
