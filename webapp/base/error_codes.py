"""The kinds of errors that a program can distinguish, each with a stable code. `docs/errors.md` is written from this list."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.base.sub_path import at

PATH = "/docs/errors/"


@dataclass(frozen=True)
class ErrorCode:
    """One kind of error.

    Attributes:
        code: represents it in answers; never changes its meaning.
        statuses: HTTP statuses of responses with this code.
        title: the kind in a few words.
        meaning, remedy: cause, and way to continue.
    """

    code: str
    statuses: tuple[int, ...]
    title: str
    meaning: str
    remedy: str

    @property
    def address(self) -> str:
        """Return the address of the explanation on the site."""
        return at(f"{PATH}#{self.code}")


_LIST = (
    ErrorCode("invalid-value", (400,), "Invalid value", "A field has a value that is not accepted.",
              "Read `field`, `accepted` and `remedies`, and send an accepted value."),
    ErrorCode("invalid-decision", (400,), "Invalid decision", "A decision describes no design of the problem.",
              "Compare it with the decision of a design of the run."),
    ErrorCode("invalid-request", (400,), "Invalid request", "The site cannot read the request.",
              "Compare the request with its description at `/api/docs/`."),
    ErrorCode("signed-out", (401,), "Not signed in", "The request has no valid token or session.",
              "Sign in, or send another token."),
    ErrorCode("not-allowed", (403,), "Not allowed", "You see the item, but your role or token may not do this.",
              "Ask a maintainer of the project for a role, or use a token with a wider scope."),
    ErrorCode("limit-reached", (403,), "Limit reached", "The request exceeds a limit that an administrator has set.",
              "Read `limit`, `used` and `left`. Free some of it, or ask an administrator for more."),
    ErrorCode("not-found", (404,), "Not found", "The item does not exist, or you may not see it.",
              "Check the address. Addresses end in a slash."),
    ErrorCode("method-not-allowed", (405,), "Method not allowed", "The address does not support this method of HTTP.",
              "Look up its methods at `/api/docs/`."),
    ErrorCode("not-acceptable", (406,), "Format not available", "The address has no answer in the requested format.",
              "Request another format."),
    ErrorCode("conflict", (409,), "Conflict", "The state of the item does not allow the request now.",
              "Read the item again, then decide."),
    ErrorCode("wrong-run-state", (409,), "Wrong state of the run", "A run in this state does not allow the request.",
              "Wait for another state of the run, or stop it."),
    ErrorCode("name-taken", (409,), "Name taken", "A document of this name exists with other content.",
              "Give another name, or store it as the next version."),
    ErrorCode("other-version", (409,), "Worker of another version", "The worker runs other code than the site.",
              "Install the site's release, with its versions of Python and numpy, on the worker's machine."),
    ErrorCode("engine-refused", (409,), "Refused by the engine", "The engine or its version cannot do this.",
              "Read `detail`. Start a new run where another release made this one."),
    ErrorCode("tool-failed", (409,), "A tool failed", "An installed tool crashed, took too long, or gave no answer.",
              "Read `detail`. Choose another cost model, or a longer limit per layer."),
    ErrorCode("changed", (409, 412), "Changed since it was read", "The item has a newer version than the one that you read.",
              "Read the newest version, and repeat the change."),
    ErrorCode("length-required", (411,), "Length required", "The body has no `Content-Length`.",
              "Send the length of the body."),
    ErrorCode("too-large", (413,), "Body too large", "The body is larger than the address accepts.",
              "Send a smaller body, or upload a file."),
    ErrorCode("unsupported-media-type", (415,), "Unsupported media type", "The address does not read this type of body.",
              "Send a type that `accepted` names."),
    ErrorCode("key-reused", (422,), "Key used before", "The `Idempotency-Key` came with another request before.",
              "Use a new key for each request."),
    ErrorCode("too-many-requests", (429,), "Too many requests", "The token or address has sent too many requests.",
              "Wait for the seconds in `Retry-After`."),
    ErrorCode("server-fault", (500,), "Fault of the site", "The site failed to answer the request.",
              "Report it to an administrator. The log of the site has the reason."),
    ErrorCode("server-busy", (503,), "Server busy", "The server is busy and did not begin the request.",
              "Repeat the request after the seconds in `Retry-After`."),
    ErrorCode("database-away", (503,), "Database does not answer", "The database does not answer at the moment.",
              "Check whether a change is stored, and repeat the request after the seconds in `Retry-After`."),
    ErrorCode("disk-full", (507,), "Disk full", "The disk of the site is full, so the request is incomplete.",
              "Tell an administrator."),
)  # fmt: skip
CODES = {each.code: each for each in _LIST}
# The last of the codes with a status stands for errors without a code of their own.
_OF_STATUS = {status: each for each in _LIST for status in each.statuses}
_OF_STATUS |= {each.statuses[0]: each for each in map(CODES.__getitem__, ("not-allowed", "conflict", "server-busy"))}


def error_code(status: int, code: str = "") -> ErrorCode:
    """Return the kind of an error by its code, else by the status of its answer."""
    usual = _OF_STATUS.get(status, CODES["server-fault" if status >= 500 else "invalid-request"])
    return CODES.get(code, usual)


def error_page(request: HttpRequest) -> HttpResponse:
    """Return the page that explains all codes, for everybody."""
    return render(request, "error_codes.html", {"codes": _LIST})
