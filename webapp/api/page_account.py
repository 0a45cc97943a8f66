"""Account of the page that sends a request: another person may have signed in in the same browser since the page was opened."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from webapp.api.problem_details import problem_response
from webapp.teams.permissions import Principal

# Scripts of a page send back in this header what `account_of` was when the page was drawn.
HEADER = "X-Page-Account"
NOBODY = "nobody"


def account_of(person: Principal) -> str:
    """Return the account as pages carry it; who comes without one, by a link too, is `NOBODY`."""
    return str(person.pk) if person.is_authenticated else NOBODY


class PageAccountMiddleware:
    """Middleware that refuses requests of a page loaded under another account."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; 409 if its page belongs to another account."""
        given = request.headers.get(HEADER)
        if given is not None and request.user.is_authenticated and given != account_of(request.user):
            words = f"You are signed in as {request.user.get_username()} now. Reload the page to continue."
            return problem_response(409, words)
        return self._get_response(request)


def who(request: HttpRequest) -> JsonResponse:
    """Return who is signed in, for pages that heard that their account is signed out or another one."""
    name = request.user.get_username() if request.user.is_authenticated else ""
    return JsonResponse({"account": account_of(request.user), "name": name}, headers={"Cache-Control": "no-store"})
