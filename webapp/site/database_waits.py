"""How long a process waits for SQLite's one write lock, and how long one that stands still may hold locks of PostgreSQL.

People get an answer soon, and what a run found is stored after all.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.backends.signals import connection_created

# A page says that the database is busy; a keeper has nothing better to do than to wait, and its child works on meanwhile.
PAGES_WAIT_S = 5
KEEPERS_WAIT_S = 60
# A worker that is frozen, or cut off, in the middle of a transaction holds the rows of its run, and nobody could take it. Shorter
# than a lease, longer than a keeper ever pauses between two statements.
STANDSTILL_S = 5


def wait_for_writes(seconds: int) -> None:
    """Every connection that this process opens from now on waits so long, in place of what the settings say."""
    connection_created.connect(partial(_set_wait, seconds), weak=False, dispatch_uid="wait_for_writes")


def _set_wait(seconds: int, connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {seconds * 1000}")


def hold_no_locks(seconds: int) -> None:
    """PostgreSQL ends a transaction of this process that asks nothing for so long, and its connection; SQLite has no such means."""
    connection_created.connect(partial(_set_standstill, seconds), weak=False, dispatch_uid="hold_no_locks")


def _set_standstill(seconds: int, connection: Any, **_: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET idle_in_transaction_session_timeout = '{seconds}s'")
