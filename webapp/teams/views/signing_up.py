"""Making an account, where the site allows it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.forms import UserCreationForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from webapp.base.sub_path import within
from webapp.teams.errors import InvitationError
from webapp.teams.invitations import find
from webapp.teams.rates import at_most

_INVITATIONS = "/invitations/"
_BACKEND = "webapp.teams.signed_in.PreparedBackend"


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]  # no generic while the site runs
    """Name, e-mail address and password."""

    class Meta:
        model = get_user_model()
        fields = ("username", "email")


def may_sign_up(*, invited: bool) -> bool:
    """Return whether users may create accounts: all, only invited ones, or none."""
    return settings.PARETOSCOPE_SIGN_UP == "OPEN" or (invited and settings.PARETOSCOPE_SIGN_UP == "INVITED")


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@at_most("10/hour", "POST")
def sign_up(request: HttpRequest) -> HttpResponse:
    """GET shows the form; POST makes the account and signs it in.

    Raises:
        Http404: this site makes accounts another way.
    """
    after = request.POST.get("next") or request.GET.get("next") or "/"
    if not url_has_allowed_host_and_scheme(after, {request.get_host()}, require_https=request.is_secure()):
        after = "/"
    if not may_sign_up(invited=_invited(after)):
        raise Http404("Accounts are made by the administrators of this site.")
    form = SignUpForm(request.POST or None, initial=_initial(after))
    form.fields["email"].required = True
    if request.method == "POST" and form.is_valid():
        login(request, form.save(), backend=_BACKEND)
        return redirect(after)
    return render(request, "teams/sign_up.html", {"form": form, "next": after})


def _secret(after: str) -> str:
    path = within(after)
    return path.removeprefix(_INVITATIONS).strip("/") if path.startswith(_INVITATIONS) else ""


def _invited(after: str) -> bool:
    try:
        return bool(_secret(after)) and bool(find(_secret(after)))
    except InvitationError:
        return False


def _initial(after: str) -> dict[str, str]:
    if not _invited(after):
        return {}
    person = find(_secret(after)).person
    return {"email": person} if "@" in person else {"username": person}
