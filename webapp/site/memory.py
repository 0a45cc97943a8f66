"""Memory that a process that serves pages returns to the system after a peak.

A run of a million designs is unpacked in blocks of megabytes, by whichever thread was asked for it. glibc keeps an arena for each
thread and, once blocks of that size came and went, keeps those too; Arrow has a pool of its own on top. Both would hold for good
what one request took.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h
# Blocks of at least this size are the system's again as soon as they are let go; smaller ones are asked for too often.
LARGE_BLOCK_BYTES = 1024 * 1024
# Python lets one thread at a time work: more arenas would only hold more.
ARENAS = 2


def give_memory_back() -> None:
    """Make the process give large freed blocks back to the system at once. Call it before threads start; children inherit it."""
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())
    if sys.platform.startswith("linux"):
        with suppress(AttributeError, OSError):  # another C library has no such switches, and other habits
            mallopt = ctypes.CDLL(None).mallopt
            # Said once, the sizes no longer follow what was let go last.
            for switch, value in (
                (_M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES),
                (_M_TRIM_THRESHOLD, 2 * LARGE_BLOCK_BYTES),
                (_M_ARENA_MAX, ARENAS),
            ):
                mallopt(switch, value)
