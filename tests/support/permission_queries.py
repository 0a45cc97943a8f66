"""Queries that are asked only to find out who may do what, and would not be asked without that question."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from django.db import connection

_ASKING = ("webapp/teams/permissions.py", "webapp/teams/visibility.py")


def permission_queries(work: Callable[[], Any]) -> list[str]:
    """The SQL of those queries while `work` is done.

    A question that is a part of another query, as of a list of what one sees, adds none and is not among them.
    """
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        frame: Any = sys._getframe()
        while frame is not None and not frame.f_code.co_filename.endswith(_ASKING):
            frame = frame.f_back
        if frame is not None:
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        work()
    return found
