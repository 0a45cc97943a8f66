"""The pages of reports."""

from __future__ import annotations

import pytest

from frontend.pages.report.repeat_link import repeat_path
from frontend.pages.report.view import text_html
from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People, give_workload
from webapp.reports import service
from webapp.runs.models import Run


def test_the_list_and_an_older_version(people: People, runs: list[Run]) -> None:
    assert "No reports here yet" in page(people.viewer, "/reports")
    report = service.write(people.owner, "Which board?", "First words", people.project)
    service.change(people.owner, report, "Which board now?", "Other words")
    assert "board now?" in page(people.viewer, "/reports")
    old = page(people.viewer, f"/reports/{report.pk}", "?version=1")
    assert "First words" in old and "This is version 1 of 2." in old
    assert "This report does not exist here" in page(people.viewer, f"/reports/{report.pk}", "?version=7")


def test_only_editors_are_led_to_the_text(people: People, runs: list[Run]) -> None:
    report = service.write(people.owner, "Ours", "Words", people.project)
    link = f"/reports/edit?report={report.pk}"
    assert link in page(people.editor, f"/reports/{report.pk}") and link not in page(
        people.viewer, f"/reports/{report.pk}"
    )
    assert "Text of the report" in page(people.editor, "/reports/edit", f"?report={report.pk}")
    assert "cannot be changed here" in page(people.viewer, "/reports/edit", f"?report={report.pk}")


def test_something_is_added_only_of_runs_that_one_sees(people: People, runs: list[Run]) -> None:
    query = f"?runs={runs[0].pk}&designs=1"
    assert "Add to a report" in page(people.editor, "/reports/add", query)
    assert "Nothing to add" in page(people.stranger, "/reports/add", query)


def test_headings_stand_below_the_title_and_scripts_are_words() -> None:
    written = text_html("# Why\n\n<script>alert(1)</script> ![x](http://example.org/x.png) [a](javascript:alert(1))")
    assert "<h2>Why</h2>" in written
    assert "<script" not in written and "<img" not in written and 'href="javascript' not in written


def test_a_run_without_a_network_is_not_repeated_with_another(
    people: People, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repeat_path(runs[0]) == ""
    give_workload(monkeypatch, runs[0], "resnet50")
    assert repeat_path(runs[0]) == f"/new?from={runs[0].pk}&choose=workload"
