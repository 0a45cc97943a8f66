"""The page of an invitation's link: who invites to what, and a button to join."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from webapp.teams.choice import choose
from webapp.teams.errors import InvitationError
from webapp.teams.invitations import accept, find, is_for, other_person_words
from webapp.teams.rates import at_most
from webapp.teams.views.signing_up import may_sign_up


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("secret")
@at_most("30/minute", "GET", "POST")
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """GET shows the invitation; POST accepts it for the signed-in user."""
    try:
        invitation = find(secret)
        if request.method == "POST" and request.user.is_authenticated:
            project = accept(request.user, secret)
            choose(request, project)
            return redirect(f"/team/{project.slug}")
    except InvitationError as error:
        return render(request, "teams/invitation.html", {"trouble": str(error)}, status=410)
    words = {"invitation": invitation, "place": request.path, "may_sign_up": may_sign_up(invited=True)}
    if request.user.is_authenticated and not is_for(request.user, invitation):
        words["other"] = other_person_words(request.user, invitation)
    return render(request, "teams/invitation.html", words)
