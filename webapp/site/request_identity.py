"""Identity of a request: long work is shared fairly between persons (`engines.running.runner.slots`)."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from engines.running.runner.slots import asking_for
from webapp.teams.permissions import visitor_name


class PersonMiddleware:
    """Questions of a request are those of who is signed in, by session or token, or of a visitor; else of all others together."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request. The user is loaded only on first use."""
        with asking_for(lambda: str(request.user.pk or visitor_name(request.user) or "nobody")):
            return self._get_response(request)
