"""The address of a read-only link: it remembers the link in the visitor's session, leads to the page, and has its preview."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from webapp.base.sub_path import at
from webapp.sharing.guests import remember
from webapp.sharing.service import OpenLink, ended_link, follow
from webapp.teams.rates import at_most


@never_cache
@require_safe
@sensitive_variables("secret")
@at_most("30/minute", "GET", "HEAD")
def shared_page(request: HttpRequest, secret: str, describe: Callable[[OpenLink], str]) -> HttpResponse:
    """Lead to the item of the link; 410 if the link has ended, 404 if it never existed.

    A browser that says that a person opens the address is redirected. Everything else gets a page with the preview, which leads
    on as well: chats and mail programs fetch it without cookies, and see no other page.

    Args:
        request: request of anybody.
        secret: secret of the link.
        describe: what the preview says of what the link opens.
    """
    opened = follow(secret)
    if opened is None:
        ended = ended_link(request.user, secret)
        return render(request, "sharing/over.html", {"ended": ended}, status=410 if ended else 404)
    remember(request, opened.link)
    if request.headers.get("Sec-Fetch-Mode") == "navigate":
        return redirect(opened.place)
    told = {"title": opened.thing.title, "kind": opened.link.kind, "place": at(opened.place)}
    return render(request, "sharing/opening.html", {**told, "description": describe(opened)})
