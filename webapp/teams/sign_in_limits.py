"""Limits of wrong passwords from one address: for one account, which django-axes counts, and for all names together.

The second count is the sum of the first ones. Who signs in after all takes the own mistakes out of it, so that a class behind one
address locks nobody out by mistyping. Names that no account has are counted under a digest: what was typed may be a password.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac


class SignInHandler(AxesDatabaseHandler):  # type: ignore[misc]  # published without types
    """A handler of django-axes that also refuses addresses with too many wrong passwords for all names together."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Return whether no password is checked."""
        return address_wait_s(request) > 0 or super().is_locked(request, credentials)


def address_wait_s(request: Any) -> int:
    """Return the seconds until the address of the request may try a password again; 0: now."""
    most, window = settings.PARETOSCOPE_SIGN_IN_FAILURES, timedelta(minutes=settings.PARETOSCOPE_SIGN_IN_MINUTES)
    if not most or request.axes_ip_address is None:  # of unknown address are all visitors, not one
        return 0
    recent = AccessAttempt.objects.filter(
        ip_address=request.axes_ip_address, attempt_time__gt=timezone.now() - window
    ).order_by("-attempt_time")
    count = 0
    for tried, failures in recent.values_list("attempt_time", "failures_since_start")[:most]:
        count += failures
        if count >= most:  # until this one is forgotten
            return _seconds_until(tried + window)
    return 0


def counted_name(request: Any, credentials: dict[str, Any] | None) -> str:
    """Return the name under which django-axes counts: that of an account, or a digest."""
    name = _name(request, credentials)
    known: dict[str, str] = request.__dict__.setdefault("counted_names", {})
    if name not in known:
        model = get_user_model()
        there = model._default_manager.filter(**{model.USERNAME_FIELD: name.replace("\0", "")}).exists()
        # Four digits: so many names are told apart, and no address fills the table.
        known[name] = name if there else f"(no account, {salted_hmac('sign-in', name).hexdigest()[:4]})"
    return known[name]


def locked_page(request: Any, response: HttpResponse, credentials: dict[str, Any] | None) -> HttpResponse:
    """Answer 429 with the seconds after which passwords are checked again."""
    facts: dict[str, Any] = {"username": _name(request, credentials), "failures": settings.AXES_FAILURE_LIMIT}
    wait_s = address_wait_s(request)
    facts["of_all"] = bool(wait_s)
    if not wait_s:
        own = AccessAttempt.objects.filter(
            username=counted_name(request, credentials), ip_address=request.axes_ip_address
        )
        last = own.aggregate(last=Max("attempt_time"))["last"] or timezone.now()
        wait_s = _seconds_until(last + settings.AXES_COOLOFF_TIME)
    page = render(request, "registration/locked.html", facts | {"minutes": ceil(wait_s / 60)}, status=429)
    page.headers["Retry-After"] = str(wait_s)
    return page


def _name(request: Any, credentials: dict[str, Any] | None) -> str:
    return str((credentials or {}).get("username") or request.POST.get("username") or "")


def _seconds_until(moment: datetime) -> int:
    return max(1, ceil((moment - timezone.now()).total_seconds()))
