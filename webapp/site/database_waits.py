"""How long a process waits for SQLite's one write lock: people get an answer soon, and what a run found is stored after all."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.backends.signals import connection_created

# A page says that the database is busy; a keeper has nothing better to do than to wait, and its child works on meanwhile.
PAGES_WAIT_S = 5
KEEPERS_WAIT_S = 60


def wait_for_writes(seconds: int) -> None:
    """Every connection that this process opens from now on waits so long, in place of what the settings say."""
    connection_created.connect(partial(_set_wait, seconds), weak=False, dispatch_uid="wait_for_writes")


def _set_wait(seconds: int, connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {seconds * 1000}")
