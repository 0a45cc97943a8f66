"""Which request, account and run a line of the log is about, as text behind its message or as JSON (`LOG_FORMAT`)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from webapp.base.actor import Actor, who_acts

_run: ContextVar[int | None] = ContextVar("run", default=None)


@contextmanager
def about_run(key: int) -> Iterator[None]:
    """Mark lines of this thread within the block with the key of the run."""
    token = _run.set(key)
    try:
        yield
    finally:
        _run.reset(token)


class Identifiers(logging.Filter):
    """A log filter that keeps every record and adds `identifiers`: name -> value of the known ones, in this order.

    `request` is `X-Request-ID`, `user` and `run` are keys in the database. Nothing is looked up for a line: an account that the
    request has not asked for yet is left out, since a question to the database would write lines itself.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the actor and the run to a record; none is dropped."""
        found: dict[str, object] = {}
        # Django writes its line about a refused request once nobody acts any more, and hands the request along.
        who = who_acts() or getattr(getattr(record, "request", None), "acting", None)
        if isinstance(who, Actor):
            found = {"request": who.request_id, "user": who.known_key()}
        found["run"] = _run.get()
        record.identifiers = {name: value for name, value in found.items() if value not in (None, "")}
        return True


class TextLines(logging.Formatter):
    """One line for people: time, level, logger, message, and `[request=… user=… run=…]` with those that are known."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's own name)
        """Return the line without a traceback, which follows on lines of its own."""
        known = " ".join(f"{name}={value}" for name, value in _identifiers(record).items())
        return super().formatMessage(record) + (f" [{known}]" if known else "")


class JsonLines(logging.Formatter):
    """One JSON object for programs on one line: `time` (UTC), `level`, `logger`, `message`, identifiers, `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        """Escape everything outside ASCII, so that a message cannot end the line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_identifiers(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _identifiers(record: logging.LogRecord) -> dict[str, object]:
    return getattr(record, "identifiers", {})
