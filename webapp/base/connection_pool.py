"""Connections to PostgreSQL are few: a thread that has done its work gives its own back, for the other threads of its process.

Requests do so by themselves (Django closes at their end). What looks at the database again and again next to them would else hold
one each, for a question of a millisecond a second.
"""

from __future__ import annotations

from django.db import connection


def give_back() -> None:
    """Back into the pool with this thread's connection, until it asks something again; nothing where there is no pool."""
    if connection.settings_dict.get("OPTIONS", {}).get("pool") and not connection.in_atomic_block:
        connection.close()
