"""Reproductions in Django's admin."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from webapp.reproductions.models import Reproduction


@pytest.mark.django_db
def test_figures_are_read_and_deleted_and_never_typed_in() -> None:
    made = Reproduction.objects.create(
        engine="toy", engine_version=2, quick=True, comparisons=[], platform={}, duration_s=1.5
    )
    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("root"))
    assert "toy" in admin.get("/admin/reproductions/reproduction/").content.decode()
    assert admin.get("/admin/reproductions/reproduction/add/").status_code == 403
    answer = admin.post(f"/admin/reproductions/reproduction/{made.pk}/change/", {"engine": "other"})
    assert answer.status_code == 403
    admin.post(f"/admin/reproductions/reproduction/{made.pk}/delete/", {"post": "yes"})
    assert not Reproduction.objects.exists()
