from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.support.stored_runs import People
from webapp.api.tokens import make_token


def test_it_writes_the_use_at_most_once_a_minute(people: People, django_assert_num_queries: Any) -> None:
    token, _ = make_token(people.owner, "Laptop")
    with django_assert_num_queries(1):
        token.note_use()
    token.refresh_from_db()
    with django_assert_num_queries(0):
        token.note_use()
    token.last_used = timezone.now() - timedelta(minutes=2)
    with django_assert_num_queries(1):
        token.note_use()
