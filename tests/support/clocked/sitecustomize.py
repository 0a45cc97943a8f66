"""Loaded first by processes whose clock a test sets (`tests.support.set_clock`).

Python sleeps until a time of the clock that nobody sets, which libfaketime 0.9.10 mistakes for one of the clock that it sets, and
passes on as a time that cannot be (wolfcw/libfaketime#426). A wait for nothing takes no time of any clock.
"""

from __future__ import annotations

import os
import select
import time


def sleep(seconds: float) -> None:
    """Sleep like `time.sleep`."""
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    select.select([], [], [], seconds)


if "libfaketime" in os.environ.get("LD_PRELOAD", ""):
    time.sleep = sleep
