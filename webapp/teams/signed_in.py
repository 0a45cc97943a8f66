"""Signed-in user, read by a query that is written once: every request asks for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import DateField, Field, QuerySet

from webapp.teams.prepared_queries import PreparedQuery


class PreparedBackend(ModelBackend):
    """Django's own, but for how the person of a session is read."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user with current permissions; None for an unknown user or one who may not sign in."""
        rows = _stored().rows(int(user_id))
        if not rows:
            return None
        values = [field.to_python(value) for field, value in zip(_plain_fields(), rows[0], strict=True)]
        user = User.from_db(connection.alias, [field.attname for field in _plain_fields()], values)
        return user if self.user_can_authenticate(user) else None


@lru_cache(maxsize=1)
def _plain_fields() -> tuple[Field[Any, Any], ...]:
    """Return what every database answers plainly, in the model's order; times, which nothing asks for, are read on use."""
    return tuple(field for field in User._meta.concrete_fields if not isinstance(field, DateField))


@lru_cache(maxsize=1)
def _stored() -> PreparedQuery:
    def of_number(number: int) -> QuerySet[Any, Any]:
        return User.objects.filter(pk=number).values_list(*(field.attname for field in _plain_fields()))

    return PreparedQuery(of_number, int)
