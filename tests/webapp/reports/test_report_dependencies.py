"""What of that which a report rests on has changed since."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.stored_runs import People, finished_run
from webapp.catalogue.models import Document, DocumentVersion
from webapp.reports import service
from webapp.reports.models import Report
from webapp.reports.report_dependencies import changed_since
from webapp.runs.models import Run


@pytest.fixture
def report(people: People, run: Run) -> Report:
    return service.write(people.owner, "Ours", f"[[front run={run.pk}]]", people.project)


def since(people: People, report: Report) -> list[str]:
    return [each.words for each in changed_since(people.owner, service.version_of(people.owner, report))]


def test_nothing_has_changed_at_first(people: People, report: Report) -> None:
    assert since(people, report) == []


def test_a_run_that_went_on_says_so(people: People, run: Run, report: Report) -> None:
    Run.objects.filter(pk=run.pk).update(design_count=20, step_number=5)
    assert since(people, report) == [f"It has more designs: {run.design_count} designs then, 20 now"]


def test_another_version_of_the_engine_says_so(people: People, run: Run, report: Report) -> None:
    Run.objects.filter(pk=run.pk).update(engine_version=run.engine_version + 1)
    (words,) = since(people, report)
    assert f"Version {run.engine_version + 1} of the engine toy made it" in words
    Run.objects.filter(pk=run.pk).update(engine="gone")
    assert "no longer installed" in since(people, report)[0]


def test_a_newer_version_of_a_document_says_so(people: People, run: Run, report: Report) -> None:
    document = Document.objects.create(project=people.project, kind="hardware", slug="board")
    for number in (1, 2):
        DocumentVersion.objects.create(
            document=document, number=number, schema="soc/1", title="Board", content={}, content_hash=str(number) * 64
        )
    run.inputs.create(slot="hardware", kind="hardware", slug="board", version=1, content={}, content_hash="1" * 64)
    assert since(people, report) == ["Its hardware board has version 2; it used version 1"]
    run.inputs.filter(slot="hardware").update(content_hash="2" * 64)
    assert since(people, report) == []


def test_a_deleted_run_is_told(people: People, run: Run, report: Report) -> None:
    run.delete()
    assert since(people, report) == ["It is deleted, or you cannot see it"]


def test_queries_do_not_grow_with_the_runs(people: People, run: Run, report: Report) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            since(people, report)
        return len(seen)

    first = queries()
    more = [finished_run(people, steps=1, designs_per_step=2) for _ in range(2)]
    service.change(people.owner, report, "Ours", "\n".join(f"[[front run={each.pk}]]" for each in [run, *more]))
    assert queries() == first
