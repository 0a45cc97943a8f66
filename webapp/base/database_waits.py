"""Database timeouts: how long a process waits for SQLite's write lock, and how long an idle one may hold PostgreSQL locks.

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
# than a lease, and long beside what a keeper computes between two statements.
STANDSTILL_S = 5


def wait_for_writes(seconds: int) -> None:
    """Make every connection that this process opens from now on wait so long, in place of the settings."""
    _at_connecting("wait_for_writes", "sqlite", f"PRAGMA busy_timeout = {seconds * 1000}")


def hold_no_locks(seconds: int) -> None:
    """Make PostgreSQL end an idle transaction of this process after so long, and its connection; SQLite has no such means."""
    _at_connecting("hold_no_locks", "postgresql", f"SET idle_in_transaction_session_timeout = '{seconds}s'")


def _at_connecting(name: str, vendor: str, statement: str) -> None:
    connection_created.connect(partial(_say, vendor, statement), weak=False, dispatch_uid=name)


def _say(vendor: str, statement: str, connection: Any, **_: Any) -> None:
    if connection.vendor == vendor:
        with connection.cursor() as cursor:
            cursor.execute(statement)
