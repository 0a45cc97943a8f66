"""Which error is answered how, as problem details; a refused field has `field`, `got` and `accepted` as well."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.urls import reverse
from psycopg_pool import PoolTimeout
from rest_framework.exceptions import APIException, UnsupportedMediaType
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engines.contract.errors import BusyError, EngineError, ProblemError
from hardware.errors import MOST_LETTERS, HardwareError, clipped
from webapp.api.problem_details import MEDIA_TYPE, problem
from webapp.catalogue.service import NameTakenError
from webapp.deletions.service import deleted_among
from webapp.limits.errors import LimitReachedError
from webapp.reports.errors import ReportChangedError
from webapp.runs.errors import FencedOutError, OtherVersionError, RunStateError
from webapp.runs.worker.disk_space import met_full_disk
from webapp.teams.visibility import NotAllowed

# Neither says that nothing was changed: a request may have stored a part of what it stores before, or all of it unheard.
DATABASE_AWAY = (
    "The database does not answer at the moment. Try again in a few seconds; look first whether a change is stored."
)
NO_ROOM = (
    "The site's disk is full, so the request was not completed. Tell an administrator. Once there is room, look whether a part of "
    "what you sent is stored, and try again."
)
# After that a request is worth another try: a connection is looked for again, or the longest transaction is over.
RETRY_AFTER_S = 2

logger = logging.getLogger(__name__)


def outage(error: BaseException | None) -> tuple[int, str, dict[str, str], str] | None:
    """Return status, words, headers and code for a temporary fault of the site; None for every other error."""
    if isinstance(error, BusyError):
        return 503, str(error), {"Retry-After": str(error.retry_after_s)}, error.code
    if error is not None and met_full_disk(error):
        logger.error("The disk is full: %s", error)
        return 507, NO_ROOM, {"Retry-After": "60"}, "disk-full"
    if isinstance(error, OperationalError | InterfaceError):
        return 503, DATABASE_AWAY, {"Retry-After": str(RETRY_AFTER_S)}, "database-away"
    return None


def handle_exception(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response to `error`, as problem details; None for one that nobody foresaw, which becomes a 500."""
    if passing := outage(error):
        status, words, headers, code = passing
        away = _response(status, words, headers=headers, code=code)
        away.database_away = no_connection(error)  # type: ignore[attr-defined]
        return away
    if isinstance(error, LimitReachedError):
        return _response(403, str(error), limit_facts(error), code=error.code)
    if isinstance(error, ProblemError):
        facts = refusal_of(error)
        if isinstance(error, NameTakenError):
            facts |= {"kind": error.kind, "message": str(error)}
        status = 409 if isinstance(error, NameTakenError | ReportChangedError) else 400
        return _response(status, facts["message"], facts, code=error.code)
    if isinstance(error, HardwareError):
        facts = refusal_of(ProblemError.of(error).with_others(error.others))
        return _response(400, facts["message"], facts, code=error.code)
    if isinstance(error, UnsupportedMediaType):
        accepted = _media_types(context["view"])
        facts = refusal_of(ProblemError("Content-Type", context["request"].content_type, accepted))
        return _response(415, facts["message"], facts)
    for kinds, status, words in _WORDS:
        if isinstance(error, kinds):
            words = words or str(error) or "You lack the role for this. Ask a maintainer of the project."
            return _response(status, words, code=getattr(error, "code", ""))
    response = exception_handler(error, dict(context))
    if response is not None:
        words, facts = _of_framework(error, response.data)
        if response.status_code == 404:
            words, facts = _with_deleted(words, context)
        response.data, response.content_type = (
            problem(response.status_code, words, facts, getattr(error, "code", "")),
            MEDIA_TYPE,
        )
    return response


def _media_types(view: Any) -> str:
    """Return the types of bodies that a view reads."""
    return " or ".join(each.media_type for each in view.get_parsers())


# Parameter of an address -> kind of thing that it names.
_KINDS_IN_ADDRESSES: Mapping[str, str] = {
    "run_id": "run",
    "study_id": "study",
    "report_id": "report",
    "note": "note",
    "slug": "document",
    "workload": "document",
}
_MOST_SIZES = 100  # open sizes of a network that are told
# What is answered with which status and words; "" stands for the error's own.
_WORDS: tuple[tuple[tuple[type[Exception], ...], int, str], ...] = (
    ((RunStateError, FencedOutError, OtherVersionError, EngineError), 409, ""),
    ((NotAllowed, DjangoPermissionDenied), 403, ""),
    ((RequestDataTooBig,), 413, "The body is too large: JSON and YAML take at most 2 MB."),
    ((RecursionError,), 400, "The body is nested too deeply."),
)


def _response(
    status: int,
    words: str,
    facts: Mapping[str, Any] | None = None,
    headers: dict[str, str] | None = None,
    code: str = "",
) -> Response:
    return Response(problem(status, words, facts, code), status=status, headers=headers, content_type=MEDIA_TYPE)


def no_connection(error: BaseException | None) -> bool:
    """Return whether `error` says that no connection to the database can be had: that will be so a moment later."""
    return error is not None and isinstance(error.__cause__, PoolTimeout)


def refusal_of(error: ProblemError) -> dict[str, Any]:
    """Return the facts of a refused field as data, and the same as sentences in `message`.

    `line` is there only of a text that was handed in, `others` where more than one field is wrong, each with its own line.
    """
    facts: dict[str, Any] = {
        "field": _sayable(error.field),
        "got": _sayable(_short(error.got)),
        "accepted": _sayable(error.accepted),
        "reason": _sayable(error.reason),
        "remedies": [{**each._asdict(), "value": _short(each.value)} for each in error.remedies],
        "message": _sayable(str(error)),
    }
    if error.others:
        lines = error.other_lines or [None] * len(error.others)
        facts["others"] = [
            refusal_of(ProblemError(*each, line)) for each, line in zip(error.others, lines, strict=True)
        ]
    return facts if error.line is None else {**facts, "line": error.line}


def limit_facts(error: LimitReachedError) -> dict[str, Any]:
    """Return the facts about a limit: field, requested value, used and remaining share."""
    numbers = {"limit": error.limit, "used": error.used, "left": error.left}
    return {**refusal_of(error), **numbers}


def _of_framework(error: Exception, data: Any) -> tuple[str, dict[str, Any]]:
    """Return the words and facts of DRF's own errors."""
    if isinstance(data, Mapping) and set(data) == {"detail"}:
        return str(data["detail"]), {}
    if isinstance(data, Mapping) and isinstance(error, APIException):
        field, problems = next(iter(data.items()))
        first = problems[0] if isinstance(problems, list) else problems
        return f"{field}: {first}", {"field": field, "got": None, "accepted": str(first)}
    return str(error), {}


def _with_deleted(words: str, context: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the same words, and what of the address is deleted with the way back, as far as the principal may know it."""
    request, at = context.get("request"), context.get("kwargs") or {}
    kind, asked = next(((kind, at[name]) for name, kind in _KINDS_IN_ADDRESSES.items() if name in at), ("", None))
    if kind == "document":
        project = request.query_params.get("project") if request else ""
        asked = "/".join(filter(None, (at.get("kind", "workload"), project, asked)))
    if not kind or request is None:
        return words, {}
    facts = []
    for each in deleted_among(request.user, kind, [asked]):
        by = f" by {each.by}" if each.by else ""
        back = reverse("api:restore", args=(each.kind, each.number)) if each.restorable else None
        words += f" {each.kind.capitalize()} {each.number} was deleted{by} on {each.at:%Y-%m-%d}."
        words += f" POST {back} brings it back." if back else ""
        facts.append({"kind": each.kind, "number": each.number, "at": each.at, "by": each.by, "restore": back})
    return words, {"deleted": facts} if facts else {}


def _short(got: Any) -> Any:
    """Return the value as data, or its first letters where it is long or JSON cannot say it."""
    if isinstance(got, str):
        return got if len(got) <= MOST_LETTERS else f"{got[:MOST_LETTERS]}…"
    text = clipped(got)
    if text.endswith("…") and not _few_sizes(got):
        return text
    try:
        json.dumps(got, allow_nan=False)
    except (TypeError, ValueError):
        return text
    return got


def _few_sizes(got: Any) -> bool:
    """Return whether the value names open sizes of a network, for each of which a page shows a field."""
    if not isinstance(got, Mapping) or len(got) > _MOST_SIZES:
        return False
    parts = [each for pair in got.items() for each in pair]
    return all(isinstance(each, int | None) or (isinstance(each, str) and len(each) <= MOST_LETTERS) for each in parts)


def _sayable(value: Any) -> Any:
    """Return the same with "?" for halves of surrogate pairs, which UTF-8 cannot say."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode(errors="replace"))
    return value
