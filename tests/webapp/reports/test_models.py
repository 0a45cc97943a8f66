from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from tests.support.stored_runs import People
from webapp.reports.models import Report, ReportVersion


def test_a_number_has_one_text(people: People) -> None:
    report = Report.objects.create(project=people.project, owner=people.owner, title="Ours")
    facts = {"report": report, "number": 1, "title": "Ours", "created_by": people.owner}
    ReportVersion.objects.create(**facts, text="One")
    with pytest.raises(IntegrityError), transaction.atomic():
        ReportVersion.objects.create(**facts, text="Another")
    assert str(report).startswith("Report") and report.versions.get().text == "One"
