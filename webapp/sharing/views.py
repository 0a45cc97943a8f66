"""What a read-only link's address does: it remembers the link in the visitor's session, and leads to the page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from webapp.sharing.guests import remember
from webapp.sharing.service import ended_link, follow
from webapp.teams.rates import at_most


@never_cache
@require_safe
@sensitive_variables("secret")
@at_most("30/minute", "GET", "HEAD")
def shared_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Lead to what the link opens, or say that it is over: 410, and 404 where there never was one."""
    opened = follow(secret)
    if opened is None:
        ended = ended_link(request.user, secret)
        return render(request, "sharing/over.html", {"ended": ended}, status=410 if ended else 404)
    remember(request, opened.link)
    return redirect(opened.place)
