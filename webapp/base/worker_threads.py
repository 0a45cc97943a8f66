"""Threads of a worker apart from its runs: they begin and end with the worker."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from typing import Any

from celery.signals import worker_ready
from django.db import connections

from webapp.base.connection_pool import give_back
from webapp.base.flags import Flag, leaving

logger = logging.getLogger(__name__)


def beside_workers(name: str, every_s: float, act: Callable[[], bool]) -> None:
    """Call `act` from time to time in every worker.

    Args:
        name: name of the thread.
        every_s: seconds between two calls, about.
        act: returns whether it is to be called again at once. What it raises is logged.
    """

    def begin(**_facts: Any) -> None:
        threading.Thread(target=repeat, args=(every_s, act, leaving), name=name, daemon=True).start()

    worker_ready.connect(begin, weak=False, dispatch_uid=name)


def repeat(every_s: float, act: Callable[[], bool], leaving: Flag | threading.Event) -> None:
    """Call `act` until `leaving` is set, as `beside_workers` says."""
    again = False
    # Not all of them at the same moment, for which each would need a connection of its own.
    while not leaving.wait(0 if again else every_s * random.uniform(0.7, 1.3)):
        try:
            again = act()
        except Exception:  # the database may be away for a while; the thread must outlive that
            again = False
            logger.exception("%s failed; the worker continues.", threading.current_thread().name)
            connections.close_all()
        give_back()
    connections.close_all()
