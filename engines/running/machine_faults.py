"""Faults of the machine rather than the problem: another attempt or another machine may succeed."""

from __future__ import annotations

import errno
from collections.abc import Mapping

DISK_FULL = "The machine's disk is full"
_NO_QUOTA = "The machine's disk has no room left for this account"
NO_ROOM = (DISK_FULL, _NO_QUOTA)  # what the words begin with
_WORDS: Mapping[int | None, str] = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: _NO_QUOTA,
    errno.EIO: "The machine's disk cannot be read or written",
    errno.EMFILE: "The process has as many files open as the machine lets it",
    errno.ENFILE: "The machine has as many files open as it can",
}
# How the standard library says that it could write to none of the folders for temporary files.
_NO_FOLDER = "No usable temporary directory"


def machine_words(error: BaseException | None) -> str:
    """Return a sentence on the fault of the machine that caused `error`; "" if its causes are others."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, OSError):
            words = DISK_FULL if _NO_FOLDER in str(error) else _WORDS.get(error.errno, "")
            if words:
                return f"{words}: {error}."
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return ""
