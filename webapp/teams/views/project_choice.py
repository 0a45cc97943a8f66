"""Choosing a project in the header."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from webapp.teams.choice import choose
from webapp.teams.visibility import editable_projects, require_visible


@login_required
@require_POST
def choose_project(request: HttpRequest) -> HttpResponse:
    """Remember the project `project` (its slug), and go back to where the person was."""
    choose(
        request, require_visible(request.user, editable_projects(request.user), slug=request.POST.get("project", ""))
    )
    came_from = request.headers.get("Referer", "")
    here = url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure())
    parts = urlsplit(came_from)
    # One slash: two at the front, or a slash and a backslash, are another machine to a browser.
    path = "/" + parts.path.lstrip("/\\")
    return redirect(f"{path}{'?' if parts.query else ''}{parts.query}" if here else "/")
