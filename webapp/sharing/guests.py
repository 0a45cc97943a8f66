"""Visitors by links: the visitor of a request, with what the links in their session still open."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from webapp.sharing.models import ShareLink
from webapp.sharing.service import OpenLink, opened_rows, still_open
from webapp.teams.permissions import Guest

_KEY = "links"
_MOST = 10


def remember(request: Any, link: ShareLink) -> None:
    """Keep the link in the session; of more than a few the oldest are forgotten."""
    kept = [key for key in request.session.get(_KEY, []) if key != link.pk]
    request.session[_KEY] = [*kept, link.pk][-_MOST:]


def links_of(request: Any) -> list[OpenLink]:
    """Return the links of the session that open something now, the latest last; asked for every request."""
    kept = request.session.get(_KEY) if hasattr(request, "session") else None
    if not kept:
        return []
    found = {each.link.pk: each for each in still_open(kept)}
    return [found[key] for key in kept if key in found]


def with_links(person: Any, opened: list[OpenLink]) -> Any:
    """Return the visitor with what the links open: a guest where nobody is signed in, and nobody where nothing is open."""
    if not opened:
        return person
    rows = opened_rows(opened)
    if not isinstance(person, AbstractBaseUser) and not person.is_authenticated:
        return Guest(rows)
    person.shared = rows
    return person
