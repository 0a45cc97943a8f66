"""Sign-ins, sign-outs and failed attempts in the change log, for administrators and for the person."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest

from webapp.base.actor import who_acts
from webapp.changes.change_recorder import note
from webapp.changes.models import Change
from webapp.teams.rates import AddressThrottle

_UNKNOWN = "a name that no account has"
_LONGEST = 120
# Who tries thousands of passwords shall not fill the log as well.
_NOTED_FAILURES = "30/minute"


def watch_sign_ins() -> None:
    """Listen to Django's signals; once, when the applications are ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="changes.signed_in")
    user_logged_out.connect(_signed_out, dispatch_uid="changes.signed_out")
    user_login_failed.connect(_refused, dispatch_uid="changes.sign_in_refused")


def _signed_in(sender: Any, request: HttpRequest, user: Any, **_facts: Any) -> None:
    note(user, Change.Verb.SIGNED_IN, _from(request))


def _signed_out(sender: Any, request: HttpRequest, user: Any, **_facts: Any) -> None:
    if user is not None:
        note(user, Change.Verb.SIGNED_OUT, _from(request))


def _refused(sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_facts: Any) -> None:
    if request is None or not AddressThrottle("noted-failures", _NOTED_FAILURES).allow_request(request, None):  # type: ignore[arg-type]
        return
    account = get_user_model()._default_manager.filter(username=str(credentials.get("username", ""))[:150]).first()
    if account is not None:
        note(account, Change.Verb.SIGN_IN_REFUSED, _from(request))
    elif who_acts() is not None:
        # What was typed is left out: it may be a password in the wrong field.
        Change.objects.create(
            content_type=ContentType.objects.get_for_model(get_user_model()),
            object_pk="",
            object_repr=_UNKNOWN,
            action=Change.Action.ACCESS,
            verb=Change.Verb.SIGN_IN_REFUSED,
            changes=_from(request),
        )


def _from(request: HttpRequest) -> dict[str, Any]:
    facts = {"address": "REMOTE_ADDR", "browser": "HTTP_USER_AGENT"}
    return {name: ["", str(request.META.get(key, ""))[:_LONGEST]] for name, key in facts.items()}
