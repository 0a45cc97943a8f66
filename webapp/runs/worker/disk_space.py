"""Whether there is room on the disks that runs need: where there is none, attempts would be used up for nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection

from engines.running.machine_faults import DISK_FULL, NO_ROOM, machine_words

# Less is as good as nothing for what engines write.
LEAST_ROOM_BYTES = 4 * 1024**2
_SQLITE_FULL = "database or disk is full"
_POSTGRESQL_FULL = "53100"


def full_folders() -> list[Path]:
    """Return the folders of this process's data and of temporary files that lie on a full disk."""
    try:
        temporary = [Path(tempfile.gettempdir())]
    except FileNotFoundError:  # it looks for one to which it can write
        temporary = [Path(os.environ.get("TMPDIR") or "/tmp")]
    return [folder for folder in (Path(settings.PARETOSCOPE_VAR), *temporary) if _is_full(folder)]


def trouble_of(error: BaseException) -> str:
    """Return a sentence on the fault of the machine or the database's disk behind `error`; "" for other errors."""
    if database_is_full(error):
        return f"The database's disk is full: {error}".strip()
    return machine_words(error)


def database_is_full(error: BaseException) -> bool:
    """Return whether the database could not store something for want of room."""
    if not isinstance(error, DatabaseError):
        return False
    return _SQLITE_FULL in str(error) or getattr(error.__cause__, "sqlstate", "") == _POSTGRESQL_FULL


def met_full_disk(error: BaseException) -> bool:
    """Return whether a request failed on a full disk: SQLite has several words for that, which mean other things as well."""
    if isinstance(error, OperationalError) and connection.vendor == "sqlite" and full_folders():
        return True
    return database_is_full(error) or machine_words(error).startswith(NO_ROOM)


def no_room_words(folders: list[Path]) -> str:
    """Return the explanation why a worker with full disks claims no runs."""
    return f"{DISK_FULL}: fewer than {LEAST_ROOM_BYTES / 1e6:.0f} MB are free in {' and in '.join(map(str, folders))}."


def _is_full(folder: Path) -> bool:
    try:
        found = os.statvfs(folder)
    except OSError:  # whatever that is, it is told where something is written
        return False
    return found.f_bavail * found.f_frsize < LEAST_ROOM_BYTES or (found.f_files > 0 and found.f_favail == 0)
