"""Conditional updates: `ETag` of resources that can change, `If-Match` on requests that change them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.http import parse_etags, quote_etag
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from webapp.api.problem_details import MEDIA_TYPE
from webapp.api.shapes.common import Message
from webapp.catalogue.models import DocumentVersion

TAG = OpenApiParameter(
    "ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[200], description="Identifies the shown state."
)
SEEN = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="`ETag` of an earlier answer: nothing is changed where it has changed since (412).",
)
NEW = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="`*`: nothing is stored where there is such a document already (412).",
)
CHANGED: dict[Any, Any] = {(412, MEDIA_TYPE): Message}


class ChangedSinceError(APIException):
    """The item to change differs from the version that was seen."""

    status_code = 412

    def __init__(self, now: str | None) -> None:
        state = "It does not exist" if now is None else f"Its ETag is {now}"
        super().__init__(f"This has changed since you read it, and nothing was done. {state} now: read it again.")


def tag_of(shown: Any) -> str:
    """Return the `ETag` of what is shown."""
    text = json.dumps(shown, sort_keys=True, ensure_ascii=False)
    return quote_etag(hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32])


def version_tag(number: int, content_hash: str = "") -> str:
    """Return the `ETag` of a version of a document or report; the number tells apart versions of equal content."""
    return quote_etag(f"{number}-{content_hash[:24]}")


def tagged(request: Request, response: Response, tag: str | None = None) -> Response:
    """Return the response with its `ETag`; 304 and nothing else for who has it already (`If-None-Match`)."""
    tag = tag or tag_of(response.data)
    if tag in _tags(request.headers.get("If-None-Match", "")):
        response = Response(status=304)
    response["ETag"] = tag
    return response


@contextmanager
def as_seen(request: Request, rows: QuerySet[Any], tag: Callable[[], str]) -> Iterator[None]:
    """Open a block that changes `rows`, which nothing else changes before its end where the request has `If-Match`.

    Args:
        request: requests that it has counted.
        rows: rows of what is changed.
        tag: the `ETag` of what is shown of them now.

    Raises:
        ChangedSinceError: that is another one than was seen.
    """
    given = request.headers.get("If-Match")
    if given is None:
        yield
        return
    with transaction.atomic():
        list(rows.select_for_update().values_list("pk"))
        _require(given, tag())
        yield


def expected_version(request: Request) -> Callable[[DocumentVersion | None], None] | None:
    """Return a check that refuses to store over an unseen version; None if the request sets no precondition.

    `If-Match` names the version that the new one is made from; `If-None-Match: *` wants a document that is not there yet.
    """
    given, wants_new = request.headers.get("If-Match"), request.headers.get("If-None-Match", "").strip() == "*"
    if given is None and not wants_new:
        return None

    def check(newest: DocumentVersion | None) -> None:
        now = None if newest is None else version_tag(newest.number, newest.content_hash)
        if wants_new and now is not None:
            raise ChangedSinceError(now)
        if given is not None:
            _require(given, now)

    return check


def _require(given: str, now: str | None) -> None:
    tags = _tags(given)
    if now is None or not ("*" in tags or now in tags):
        raise ChangedSinceError(now)


def _tags(header: str) -> list[str]:
    # Compressing an answer on its way makes its tag a weak one; it still stands for the same thing.
    return [tag.removeprefix("W/") for tag in parse_etags(header)]
