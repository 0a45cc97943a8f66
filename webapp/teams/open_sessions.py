"""Where a person is signed in: their sessions, and ending one or all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.utils import timezone

_KEY = "signed_in"
_LONGEST = 300


@dataclass(frozen=True)
class OpenSession:
    """A browser in which the person is signed in.

    Attributes:
        started: when they signed in, None where that is not known.
        address: address of the browser; "" where that is not known.
        browser: as it calls itself.
        here: whether it is the one that asks.
    """

    key: str = field(repr=False)
    started: datetime | None
    address: str
    browser: str
    here: bool

    @property
    def name(self) -> str:
        """Names it on a page; the key itself would let whoever reads the page act as the person."""
        return sha256(self.key.encode()).hexdigest()[:32]


@receiver(user_logged_in, dispatch_uid="teams.note_sign_in")
def note_sign_in(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Keep in the session when and from where it began."""
    if request is not None and hasattr(request, "session"):
        request.session[_KEY] = {
            "at": timezone.now().isoformat(),
            "address": str(request.META.get("REMOTE_ADDR", ""))[:_LONGEST],
            "browser": str(request.META.get("HTTP_USER_AGENT", ""))[:_LONGEST],
        }


def sessions_of(person: Any, here: str | None) -> list[OpenSession]:
    """Return the sessions of an account, the newest first.

    Args:
        person: the account.
        here: key of the session that asks.
    """
    found = [_session(key, data, here) for key, data in _stored(person)]
    return sorted(found, key=lambda each: (each.here, each.started or datetime.min.replace(tzinfo=UTC)), reverse=True)


def end_sessions(person: Any, *, but: str | None = None) -> int:
    """End all sessions of an account, except the one with that key; how many."""
    keys = [key for key, _ in _stored(person) if key != but]
    Session.objects.filter(session_key__in=keys).delete()
    return len(keys)


def end_session(person: Any, name: str) -> bool:
    """End the session of an account that is called so (`OpenSession.name`); whether there was one."""
    keys = [session.key for session in sessions_of(person, None) if session.name == name]
    Session.objects.filter(session_key__in=keys).delete()
    return bool(keys)


def _stored(person: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the keys and contents. A session does not say in the clear whose it is: every one is read, which few pages ask for."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    living = Session.objects.filter(expire_date__gt=timezone.now()).values_list("session_key", "session_data")
    for key, text in living.iterator():
        data = store.decode(text)
        if str(data.get(SESSION_KEY)) == str(person.pk):
            yield key, data


def _session(key: str, data: dict[str, Any], here: str | None) -> OpenSession:
    told = data.get(_KEY) or {}
    started = datetime.fromisoformat(told["at"]) if told.get("at") else None
    return OpenSession(key, started, str(told.get("address", "")), str(told.get("browser", "")), key == here)
