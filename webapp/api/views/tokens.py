"""The page on which users make and end their own tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from engines.contract.errors import ProblemError
from webapp.api.models import ApiToken
from webapp.api.tokens import end_token, make_token, tokens_of
from webapp.teams.visibility import visible_projects

_SCOPES = (
    (ApiToken.Scope.READ, "Read"),
    (ApiToken.Scope.RUN, "Read, start and stop runs"),
    (ApiToken.Scope.WRITE, "Read, run, store and delete"),
    (ApiToken.Scope.AGENT, "Measure on a device, nothing else"),
    (ApiToken.Scope.WORKER, "Execute queued runs, nothing else"),
)
_DAYS = ((30, "30 days"), (90, "90 days"), (365, "one year"), (0, "no end"))


class TokenForm(forms.Form):
    """The form of a new token: its name, scope, project and end."""

    name = forms.CharField(label="Name", max_length=80)
    scope = forms.ChoiceField(label="Permissions", choices=_SCOPES)
    project = forms.ChoiceField(label="Where", required=False)
    days = forms.TypedChoiceField(label="Valid for", choices=_DAYS, coerce=int, initial=90)

    def __init__(self, *args: Any, user: Any) -> None:
        super().__init__(*args)
        projects = [(each.slug, each.title) for each in visible_projects(user).order_by("title")]
        self.fields["project"] = forms.ChoiceField(
            label="Where", required=False, choices=[("", "all my projects"), *projects]
        )


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("text")
def token_page(request: HttpRequest) -> HttpResponse:
    """GET shows one's tokens; POST makes one (shown once) or, with `action=end` and `token`, ends it."""
    text, ending = None, request.POST.get("action") == "end"
    if request.method == "POST" and ending:
        number = request.POST.get("token", "")
        end_token(request.user, int(number) if number.isascii() and number.isdigit() and len(number) < 19 else 0)
        return redirect("token")
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user)
    if request.method == "POST" and form.is_valid():
        text = _made(request, form)
    if text:
        form = TokenForm(user=request.user)
    facts = {"tokens": tokens_of(request.user), "text": text, "form": form}
    return render(request, "registration/token.html", facts)


def _made(request: HttpRequest, form: TokenForm) -> str | None:
    """Return the text of the new token; None where a field is refused, which the form then says."""
    said = form.cleaned_data
    expires = timezone.now() + timedelta(days=said["days"]) if said["days"] else None
    try:
        return make_token(request.user, said["name"], said["scope"], said["project"] or None, expires)[1]
    except ProblemError as error:
        form.add_error(error.field, error.explained(f"Must be {error.accepted}."))
        return None
