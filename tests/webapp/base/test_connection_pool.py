"""A thread that looks at the database now and then holds no connection in between."""

from __future__ import annotations

import threading
from typing import Any

from django.db import connection

from tests.support.databases import MOSTLY_POSTGRESQL, LiveDatabase
from webapp.base.worker_threads import repeat
from webapp.runs.models import WorkerBeat


@MOSTLY_POSTGRESQL
def test_threads_beside_a_worker_share_what_the_pool_has(live_database: LiveDatabase) -> None:
    leaving, looked, held = threading.Event(), threading.Semaphore(0), list[Any]()

    def look() -> bool:
        held.append(connection.connection)
        WorkerBeat.objects.exists()
        looked.release()
        return False

    connection.close()
    threads = [threading.Thread(target=repeat, args=(0.05, look, leaving)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(12):
        assert looked.acquire(timeout=60)
    leaving.set()
    for thread in threads:
        thread.join(60)
    if live_database.kind == "postgresql":
        assert held == [None] * len(held), "it was given back before the next look"
        stats = connection.pool.get_stats()
        assert stats["pool_available"] == stats["pool_size"] <= 4
    else:
        assert held.count(None) == 4, "SQLite's is kept: opening the file again costs more than a question"
