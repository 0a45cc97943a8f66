"""The current request and its user, for code that is called without them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.middleware.csrf import get_token

from webapp.teams import choice

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

    from webapp.sharing.service import OpenLink
    from webapp.teams.models import Project

# Where Dash answers callbacks.
CALLBACKS = "/_dash-update-component"
_request: ContextVar[HttpRequest | None] = ContextVar("django_request", default=None)


@contextmanager
def serving(request: HttpRequest) -> Iterator[None]:
    """Make `request` the one that is being served within the block."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


def current_request() -> HttpRequest | None:
    """Return the request that is being served; None outside of any, as when Dash tries the layout once at the start."""
    return _request.get()


def current_user() -> AbstractBaseUser | AnonymousUser:
    """Return the signed-in user of the request that is being served; anonymous outside of any."""
    request = _request.get()
    return AnonymousUser() if request is None else request.user


def name_page(words: str) -> None:
    """Set the title of the current page; later calls have no effect."""
    request = _request.get()
    if request is not None and not hasattr(request, "page_name"):
        request.page_name = words  # type: ignore[attr-defined]


def page_title(kind: str) -> Callable[..., str]:
    """Return the title of the browser window: "Which board? (run 19) · Paretoscope", or the kind of page."""
    return lambda *_, **__: f"{getattr(_request.get(), 'page_name', kind)} · Paretoscope"


def csrf_token() -> str:
    """Return the token that a form on a page sends back; "" outside of any request."""
    request = _request.get()
    return "" if request is None else get_token(request)


def chosen_project(person: AbstractBaseUser | AnonymousUser | None = None) -> Project:
    """Return the project of new items: the one chosen in the header, if the person may make items there, else their own.

    Raises:
        NotVisible: nobody is signed in.
    """
    return choice.chosen(_request.get(), person or current_user())


def choose_project(project: Project) -> None:
    """Choose a project as the header does."""
    request = _request.get()
    if request is not None:
        choice.choose(request, project)


def opened_links() -> list[OpenLink]:
    """Return the read-only links by which the visitor came, the latest last; none for most."""
    found: list[OpenLink] = getattr(_request.get(), "opened_links", [])
    return found
