"""A report on its page and as a file."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People, give_workload
from webapp.reports import service
from webapp.reports.models import Report
from webapp.runs.models import Run
from webapp.teams.visibility import personal_project

TEXT = """## Why <script>alert(1)</script>

[[front run={0}]]

[[design run={0} design=1]]

[[designs run={0} rows=3]]

[[comparison runs={0},{1}]]

[[caveats]]
"""


@pytest.fixture
def report(people: People, runs: list[Run]) -> Report:
    return service.write(people.owner, "Which board?", TEXT.format(*(run.pk for run in runs)), people.project)


def file_of(person: Any, report: Report) -> Any:
    client = Client()
    client.force_login(person)
    return client.get("/reports/page.html", {"report": report.pk})


def test_the_file_stands_on_its_own(people: People, runs: list[Run], report: Report) -> None:
    answer = file_of(people.viewer, report)
    text = answer.content.decode()
    assert answer.headers["Content-Disposition"].endswith(f'"report-{report.pk}-version-1.html"')
    before = text.split("<script>")[0]
    assert "<title>Which board?</title>" in text and "alert(1)" in before and "<script>alert" not in text
    assert " src=" not in before and "url(http" not in before and "<link" not in before
    assert before.count('class="figure"') >= 3, "front, design and comparison are drawn from what is in the file"
    for words in ("Error band unknown", "Caveats", "designs on the front", "Version 1 by ann"):
        assert words in before, words
    assert file_of(people.stranger, report).status_code == 404


def test_the_page_shows_blocks_and_what_changed(people: People, runs: list[Run], report: Report) -> None:
    shown = page(people.viewer, f"/reports/{report.pk}")
    assert "Which board?" in shown and "changed since it was written" not in shown
    Run.objects.filter(pk=runs[0].pk).update(engine_version=99)
    shown = page(people.viewer, f"/reports/{report.pk}")
    assert "changed since it was written" in shown and "Version 99 of the engine toy" in shown


def test_a_run_that_the_reader_does_not_see_is_left_out(people: People, runs: list[Run], report: Report) -> None:
    Run.objects.filter(pk=runs[1].pk).update(project=personal_project(people.owner), title="Secret")
    text = file_of(people.viewer, report).content.decode()
    assert f"Run {runs[1].pk} is not shown" in text and "Secret" not in text
    assert re.search(r"Caveats.*Toy run", text, re.DOTALL)


def test_it_leads_to_the_same_with_another_network(
    people: People, runs: list[Run], report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_workload(monkeypatch, runs[0], "resnet50")
    text = file_of(people.viewer, report).content.decode()
    assert f"/new?from={runs[0].pk}&amp;choose=workload" in text and "Repeat with my network" in text
