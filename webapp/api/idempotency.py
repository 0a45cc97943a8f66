"""Starting a thing once, however often a request that starts it is sent: the `Idempotency-Key` header."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from django.db.models import Model
from django.utils import timezone
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from engines.contract.errors import ProblemError
from webapp.api.models import StartedOnce
from webapp.teams.permissions import user_number

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT = timedelta(days=1)
# No request is at work for longer: who held the key is gone, and stored nothing.
_LONGEST_REQUEST = timedelta(minutes=10)
_LONGEST_KEY = 200

Started = TypeVar("Started", bound=Model)


class KeyUsedError(APIException):
    """The key came with another request before."""

    status_code = 422
    default_detail = f"This {HEADER} came with another address or body before. Make a new key for a new thing."


class AtWorkError(APIException):
    """A request with the key is at work."""

    status_code = 409
    default_detail = f"A request with this {HEADER} is in progress. Ask again in a few seconds to get its answer."
    wait = 2  # seconds, as `Retry-After`


def once(
    request: Request,
    start: Callable[[Callable[[Started], None] | None], Started],
    found: Callable[[int], Started],
) -> tuple[Started, dict[str, str]]:
    """Return the response to the request, or that of an earlier request with the same key, with a header that states which.

    Args:
        request: with or without the header.
        start: starts it; calls what it is given in the transaction that stores it.
        found: number of the started run.

    Raises:
        ProblemError: the key is none.
        KeyUsedError: the key came with another address or body before.
        AtWorkError: an earlier request with the key is not done yet.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return start(None), {}
    row, new = _row(request, key)
    if row.made is not None:
        return found(row.made), {REPLAYED: "true"}
    if not new:
        _take_over(row)
    try:
        return start(lambda made: _note(row, made)), {}
    except BaseException:
        _held(row).delete()
        raise


def _row(request: Request, key: str) -> tuple[StartedOnce, bool]:
    if not (0 < len(key) <= _LONGEST_KEY and key.isascii() and key.isprintable()):
        raise ProblemError(HEADER, key, f"1 to {_LONGEST_KEY} printable ASCII characters, such as a UUID")
    now = timezone.now()
    StartedOnce.objects.filter(since__lt=now - KEPT).delete()
    asked = json.dumps([request.path, request.data], sort_keys=True, default=str)
    facts: dict[str, Any] = {"digest": hashlib.sha256(asked.encode(errors="replace")).hexdigest(), "since": now}
    row, new = StartedOnce.objects.get_or_create(user_id=user_number(request.user), key=key, defaults=facts)
    if row.digest != facts["digest"]:
        raise KeyUsedError
    return row, new


def _held(row: StartedOnce) -> Any:
    """Return the row, as long as it is this request's."""
    return StartedOnce.objects.filter(pk=row.pk, since=row.since, made=None)


def _take_over(row: StartedOnce) -> None:
    now = timezone.now()
    # Nor does one whose time lies ahead, as after the clock was set back, hold its key for longer.
    if abs(now - row.since) < _LONGEST_REQUEST or not _held(row).update(since=now):
        raise AtWorkError
    row.since = now


def _note(row: StartedOnce, made: Model) -> None:
    if not _held(row).update(made=made.pk):  # another request took over: this one stores nothing
        raise AtWorkError
