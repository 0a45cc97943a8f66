"""Tokens in Django's admin."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.support.stored_runs import People
from webapp.api.models import ApiToken
from webapp.api.tokens import make_token


@pytest.fixture
def admin(people: People) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root"))
    return client


def test_an_administrator_ends_a_token_and_makes_and_changes_none(people: People, admin: Client) -> None:
    token, text = make_token(people.owner, "Laptop", project="lab")
    listed = admin.get("/admin/api/apitoken/").content.decode()
    assert "Laptop" in listed and "Lab" in listed and text not in listed
    assert admin.get("/admin/api/apitoken/add/").status_code == 403
    assert admin.post(f"/admin/api/apitoken/{token.pk}/change/", {"name": "Mine"}).status_code == 403
    admin.post(f"/admin/api/apitoken/{token.pk}/delete/", {"post": "yes"})
    assert not ApiToken.objects.exists()
