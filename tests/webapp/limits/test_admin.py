"""Administrators set limits of single projects and people, and the change log says so."""

from __future__ import annotations

from django.test import Client

from tests.support.stored_runs import People
from webapp.changes.models import Change
from webapp.limits.models import PersonLimits


def test_an_administrator_sets_a_limit(people: People, client: Client) -> None:
    people.owner.is_staff = people.owner.is_superuser = True
    people.owner.save()
    client.force_login(people.owner)
    given = {"person": people.viewer.pk, "active_runs": "4", "run_minutes": "", "run_memory_mb": "", "stored_mb": "0"}
    assert client.post("/admin/limits/personlimits/add/", given).status_code == 302
    assert PersonLimits.objects.values_list("active_runs", "stored_mb", "run_minutes").get() == (4, 0, None)
    assert Change.objects.filter(content_type__model="personlimits", actor=people.owner).exists()
    for page in ("personlimits", "projectlimits"):
        assert client.get(f"/admin/limits/{page}/?q=vic").status_code == 200
