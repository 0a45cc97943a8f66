"""The page on which users make and end their own token."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from webapp.api.models import ApiToken


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("text")
def token_page(request: HttpRequest) -> HttpResponse:
    """GET shows whether there is a token; POST makes one (shown once) or, with `action=end`, ends it."""
    text = None
    if request.method == "POST":
        if request.POST.get("action") == "end":
            ApiToken.objects.filter(user__in=[request.user.pk]).delete()
            return redirect("token")
        text = ApiToken.make(request.user)
    token = ApiToken.objects.filter(user__in=[request.user.pk]).first()
    return render(request, "registration/token.html", {"token": token, "text": text})
