"""Sessions in the database in Django's format, read by a prepared query, since every request reads one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import QuerySet
from django.db.models.functions import Now

from webapp.teams.prepared_queries import PreparedQuery


class SessionStore(DatabaseStore):
    """Session store under the name of its base, which is part of how sessions are signed."""

    def load(self) -> dict[str, Any]:
        """Return the content of the session; an empty session without a key if it is missing or expired."""
        rows = _stored().rows(self.session_key or "")
        if not rows:
            self._session_key = None
            return {}
        return dict(self.decode(rows[0][0]))


@lru_cache(maxsize=1)
def _stored() -> PreparedQuery:
    # The model is there once the applications are.
    model = SessionStore.get_model_class()

    def of_key(key: str) -> QuerySet[Any, Any]:
        return model.objects.filter(session_key=key, expire_date__gt=Now()).values_list("session_data")

    return PreparedQuery(of_key, str)
