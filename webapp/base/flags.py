"""Flags that a signal handler may set, and the flag that ends this worker.

A handler runs in between any two steps of the main thread, those of another handler included. `threading.Event.set` takes a lock,
and so does Celery's `worker_shutting_down`: a second signal within a millisecond waits for ever for what the first one holds. So
handlers set an attribute, nothing is connected to `worker_shutting_down`, and who waits looks again and again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

SLICE_S = 0.2


class Flag:
    """A `threading.Event` without its lock, which is never cleared.

    Args:
        told: asked as well: whether another person has set it.
    """

    def __init__(self, told: Callable[[], bool] = lambda: False) -> None:
        self._told, self._set = told, False

    def set(self) -> None:
        """Set it, in a handler too."""
        self._set = True

    def is_set(self) -> bool:
        """Return whether the flag was set."""
        return self._set or self._told()

    def wait(self, timeout_s: float) -> bool:
        """Wait until it is set, at most so long; return whether it is. It is seen up to `SLICE_S` later."""
        end = time.monotonic() + timeout_s
        while not self.is_set() and (left_s := end - time.monotonic()) > 0:
            time.sleep(min(left_s, SLICE_S))
        return self.is_set()


def _celery_was_told() -> bool:
    """Return whether a signal told Celery to end: it then keeps an exit status, which may be 0, in place of None or False."""
    state = sys.modules.get("celery.worker.state")  # only workers have it
    return state is not None and not all(
        status is None or status is False for status in (state.should_stop, state.should_terminate)
    )


leaving = Flag(_celery_was_told)
