"""The PostgreSQL connection pool: idle threads return their connection for other threads of the process.

Requests do so by themselves (Django closes at their end). What looks at the database again and again next to them would else hold
one each, for a question of a millisecond a second.
"""

from __future__ import annotations

from django.db import connection


def give_back() -> None:
    """Give the connection of this thread back to the pool until its next query; without a pool do nothing."""
    if connection.settings_dict.get("OPTIONS", {}).get("pool") and not connection.in_atomic_block:
        connection.close()
