"""Reports of values of built-in devices."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from webapp.catalogue import value_reports
from webapp.catalogue.models import ValueReport
from webapp.catalogue.service import copy_of, store_version
from webapp.catalogue.value_reports import report_value, reports_on
from webapp.teams.permissions import NotAllowed

KEY, SOURCE = "units.npu.on_chip_memory_kib", "Data sheet 1.2, page 4"


def report(people: People, **given: Any) -> ValueReport:
    values = {"principal": people.editor, "project": people.project, "device": "hailo-8", "key": KEY, "value": "32 MB",
              "source": SOURCE}  # fmt: skip
    return report_value(**values | given)


def test_members_see_a_report_with_who_made_it_and_nobody_else_does(people: People) -> None:
    stored = report(people)
    assert [(each.value, each.source, str(each.owner)) for each in reports_on(people.viewer, "hailo-8")] == [
        ("32 MB", SOURCE, "eve")
    ]
    assert reports_on(people.stranger, "hailo-8") == [] == reports_on(people.viewer, "hailo-8l")
    assert stored.reviewed is None and str(stored) == f"{KEY} of hailo-8"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"key": "units.tpu"}, "key"), ({"key": None}, "key"), ({"value": " "}, "value"), ({"value": "x" * 201}, "value"),
        ({"source": ""}, "source"), ({"source": "a\nb\x00"}, "source"), ({"device": "no-such"}, "hardware"),
    ],
)  # fmt: skip
def test_a_report_that_says_too_little_is_refused_and_not_stored(
    people: People, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(ProblemError) as caught:
        report(people, **given)
    assert caught.value.field == field
    assert not ValueReport.objects.exists()


def test_only_editors_report_and_only_on_built_in_devices(people: People) -> None:
    with pytest.raises(NotAllowed):
        report(people, principal=people.viewer)
    content = copy_of(people.owner, "hardware", "hailo-8")
    store_version(people.owner, people.project, "hardware", content)
    with pytest.raises(ProblemError, match="comes with the product"):
        report(people, device=f"lab/{content['slug']}")


def test_a_project_has_a_limited_number_of_open_reports(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_reports, "MOST_OPEN", 1)
    first = report(people)
    with pytest.raises(ProblemError, match="unreviewed reports"):
        report(people)
    ValueReport.objects.filter(pk=first.pk).update(reviewed=timezone.now())
    report(people)


def test_administrators_settle_reports(people: People, admin_client: Any) -> None:
    stored = report(people)
    page = admin_client.get("/admin/catalogue/valuereport/")
    assert "32 MB" in page.content.decode() and SOURCE in page.content.decode()
    data = {"action": "settle", "_selected_action": [stored.pk]}
    admin_client.post("/admin/catalogue/valuereport/", data)
    stored.refresh_from_db()
    assert stored.reviewed is not None
