"""The person of a session, read by a query that is written once: they must be what Django's own backend says."""

from __future__ import annotations

import pytest
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from webapp.teams.signed_in import PreparedBackend

pytestmark = pytest.mark.django_db


def test_everything_about_a_person_is_what_the_database_holds() -> None:
    ann = User.objects.create_user("ann", "ann@example.org", "a-long-enough-word", first_name="Ann", last_name="Lee")
    root = User.objects.create_superuser("root", password="another-long-word")
    for person in (ann, root):
        found, expected = PreparedBackend().get_user(person.pk), ModelBackend().get_user(person.pk)
        assert found is not None
        assert found == expected == person
        for field in User._meta.concrete_fields:
            value = getattr(found, field.attname)
            assert value == getattr(expected, field.attname), field.name
            assert type(value) is type(getattr(expected, field.attname)), field.name
        assert found.is_authenticated


def test_whoever_is_not_there_or_may_not_sign_in_is_nobody() -> None:
    ann = User.objects.create_user("ann", is_active=False)
    assert PreparedBackend().get_user(ann.pk) is None
    assert PreparedBackend().get_user(ann.pk + 1000) is None


def test_a_person_can_be_changed_and_stored() -> None:
    ann = User.objects.create_user("ann", "ann@example.org")
    found = PreparedBackend().get_user(ann.pk)
    assert found is not None
    found.email = "lee@example.org"
    found.save()
    ann.refresh_from_db()
    assert (ann.email, ann.username, ann.date_joined) == ("lee@example.org", "ann", found.date_joined)


def test_a_request_asks_once_and_who_is_barred_or_changes_the_password_is_out_at_the_next() -> None:
    client = Client()
    for change in ({"is_active": False}, {"password": "!"}):
        ann = User.objects.create_user(f"ann-{next(iter(change))}")
        client.force_login(ann)
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/_dash-run-state/1").status_code == 404
        assert sum("auth_user" in query["sql"] and "password" in query["sql"] for query in queries) == 1
        User.objects.filter(pk=ann.pk).update(**change)
        assert client.get("/_dash-run-state/1").status_code == 401
