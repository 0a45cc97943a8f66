"""The page of one's own account: e-mail address, password, and where one is signed in."""

from __future__ import annotations

from django import forms
from django.contrib.auth import get_user_model, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.teams.open_sessions import end_session, end_sessions, sessions_of


class AddressForm(forms.Form):
    """The e-mail address of an account."""

    email = forms.EmailField(label="E-mail address", required=False, max_length=254)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def account_page(request: HttpRequest) -> HttpResponse:
    """GET shows the account; POST changes its address, or with `action=end` signs out everywhere, of one browser with `session`."""
    if request.method == "POST" and request.POST.get("action") == "end":
        end_sessions(request.user)
        logout(request)
        return redirect("login")
    if request.method == "POST" and request.POST.get("action") == "end-one":
        end_session(request.user, request.POST.get("session", ""))
        return redirect("account")
    form = AddressForm(
        request.POST if request.method == "POST" else None, initial={"email": getattr(request.user, "email", "")}
    )
    saved = request.method == "POST" and form.is_valid()
    if saved:
        get_user_model().objects.filter(pk__in=[request.user.pk]).update(email=form.cleaned_data["email"])
    sessions = sessions_of(request.user, request.session.session_key)
    return render(request, "teams/account.html", {"form": form, "saved": saved, "sessions": sessions})
