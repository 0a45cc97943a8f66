"""Exceptions of the client. A refusal by the site carries the fields of its problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class ParetoscopeError(Exception):
    """The base class of every error that this package raises."""


class UnreachableError(ParetoscopeError):
    """An error for a site that did not answer, or for another server at its address."""


class WaitedTooLongError(ParetoscopeError, TimeoutError):
    """An error of `wait` after its `timeout_s`. The run or study continues."""


class MissingPackageError(ParetoscopeError, ImportError):
    """An error for a missing optional package; the message says how to install it."""


class RunFailedError(ParetoscopeError):
    """An error of `wait` for a run that failed.

    Attributes:
        run: number of the run.
        detail: known causes: `text`, `exception`, `traceback`, `log_tail` and more.
    """

    def __init__(self, run: int, detail: Mapping[str, Any]) -> None:
        super().__init__(f"Run {run} failed: {detail.get('text') or 'no reason was recorded'}")
        self.run = run
        self.detail = dict(detail)


class ApiError(ParetoscopeError):
    """The base class of refusals by the site.

    Attributes:
        status: status of HTTP.
        code: stable name of the kind of error, such as "invalid-value"; "" for a response without one.
        type: address of its explanation on the site.
        title: kind of error in words.
        detail: what happened and how to continue.
        field: the refused field, such as "params.n_splits"; None for a refusal of no single field.
        got: value of the field. accepted: the accepted values.
        remedies: ways to continue, each with `text`, and with `field` and `value` if known.
        others: the same attributes for further invalid fields.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code, self.type = str(problem.get("code") or ""), str(problem.get("type") or "")
        self.title = str(problem.get("title") or "")
        self.detail = str(problem.get("detail") or self.title)
        self.field: str | None = problem.get("field")
        self.got: Any = problem.get("got")
        self.accepted: str | None = problem.get("accepted")
        self.remedies: Sequence[Mapping[str, Any]] = problem.get("remedies") or ()
        self.others: Sequence[Mapping[str, Any]] = problem.get("others") or ()
        super().__init__(f"{self.detail} ({status})")


class RefusedError(ApiError):
    """400, 411, 413, 422: a field, the body or a key is refused."""


class NotSignedInError(ApiError):
    """401: the token is missing, unknown, expired or revoked."""


class NotAllowedError(ApiError):
    """403: another role in the project, or a token with a wider scope, is needed."""


class NotFoundError(ApiError):
    """404: the item does not exist, or your account may not see it."""


class ConflictError(ApiError):
    """409: the current state of the item does not allow the request."""


class ChangedError(ApiError):
    """412: another person has changed the item since it was read."""


class TooManyRequestsError(ApiError):
    """429: too many requests, also after waiting `patience_s`."""


class UnavailableError(ApiError):
    """A status from 500 on: the site is busy, cannot reach its database, or has a fault."""


_KINDS: dict[int, type[ApiError]] = {
    400: RefusedError,
    401: NotSignedInError,
    403: NotAllowedError,
    404: NotFoundError,
    409: ConflictError,
    411: RefusedError,
    412: ChangedError,
    413: RefusedError,
    422: RefusedError,
    429: TooManyRequestsError,
}


def api_error(status: int, problem: Mapping[str, Any]) -> ApiError:
    """Return the exception whose class fits the HTTP status, with the fields of the problem details."""
    kind = UnavailableError if status >= 500 else _KINDS.get(status, ApiError)
    return kind(status, problem)
