"""Writing much without keeping others from writing: one short transaction, then a pause.

SQLite has one write lock and no queue before it: whoever waits looks again after up to a tenth of a second. A process that
takes the lock again as soon as it has let it go keeps everybody else waiting for as long as it has something to write.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from webapp.runs.storage.lease import persistently

# Of the time the lock is free for others: who looks at some moment finds it so four times of five.
PAUSE_SHARE = 4.0
LONGEST_PAUSE_S = 0.5

Value = TypeVar("Value")


def in_turn(write: Callable[[], Value]) -> Value:
    """Return the result of `write` after a pause of several times its duration, so that other processes can write."""
    began = time.monotonic()
    try:
        return persistently(write)
    finally:
        time.sleep(min(PAUSE_SHARE * (time.monotonic() - began), LONGEST_PAUSE_S))
