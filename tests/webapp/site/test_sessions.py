"""Sessions read by a query that is written once: they must be what Django's own store says."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from webapp.site.sessions import SessionStore

pytestmark = pytest.mark.django_db


def stored(store: type[DatabaseStore] = SessionStore, **values: Any) -> str:
    """The key of a session that holds `values`."""
    session = store()
    session.update(values)
    session.create()
    session.save()
    assert session.session_key
    return session.session_key


def test_it_reads_what_either_store_wrote_and_the_other_way_round() -> None:
    for writer in (SessionStore, DatabaseStore):
        key = stored(writer, name="ann")
        for reader in (SessionStore, DatabaseStore):
            assert reader(key).load() == {"name": "ann"}


def test_a_session_whose_time_is_over_or_that_is_not_there_is_empty_and_has_no_key() -> None:
    key = stored(name="ann")
    Session.objects.filter(pk=key).update(expire_date=timezone.now() + timedelta(seconds=30))
    assert SessionStore(key).load() == {"name": "ann"}
    Session.objects.filter(pk=key).update(expire_date=timezone.now() - timedelta(seconds=1))
    for asked in (key, "nosuchsessionkey", "' OR 1=1 --", None):
        session = SessionStore(asked)
        assert session.load() == {}
        assert session.session_key is None


def test_data_that_was_changed_by_hand_counts_as_nothing() -> None:
    key = stored(name="ann")
    Session.objects.filter(pk=key).update(session_data="eyJuYW1lIjoiZXZlIn0:1w8dY5:forged")
    assert SessionStore(key).load() == {}


def test_a_request_reads_it_once_and_who_signs_out_elsewhere_is_out_at_the_next(django_user_model: type[User]) -> None:
    client = Client()
    client.force_login(django_user_model.objects.create_user("ann", password="a-long-enough-word"))
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/_dash-run-state/1").status_code == 404
    assert sum("django_session" in query["sql"] for query in queries) == 1
    Session.objects.all().delete()
    assert client.get("/_dash-run-state/1").status_code == 401
