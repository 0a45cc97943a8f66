"""A clock that a test sets for processes of its own, by libfaketime: what they take for the time of day, not how it passes."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from tools.faketime import PACKAGE, find_library

ROOT = Path(__file__).resolve().parents[2]
# Processes look at the file at most once in so many seconds.
_LOOK_S = 1
_SHARED = re.compile(r"(?:faketime_shm_|sem\.faketime_sem_)(\d+)")


class NoClockError(Exception):
    """There is no libfaketime; the message says so."""


class SetClock:
    """The clock of processes that are started with its `environment`. Children that get chosen variables alone keep the machine's.

    Args:
        threads: whether those processes have several threads.

    Raises:
        NoClockError: when the block is entered, where there is no library.
    """

    def __init__(self, threads: bool = True) -> None:
        self._library = find_library(threads)

    def __enter__(self) -> SetClock:
        if self._library is None:
            raise NoClockError(f"{PACKAGE} is not installed")
        self._folder = Path(tempfile.mkdtemp(prefix="paretoscope-clock-"))
        self._folder.chmod(0o755)  # a database server has an account of its own
        self._file = self._folder / "clock"
        self.write(0)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        _remove_what_killed_processes_shared()

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment of the processes that follow the clock."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_CACHE_DURATION": str(_LOOK_S),
            "NO_FAKE_STAT": "1",
            "PYTHONPATH": os.pathsep.join((str(Path(__file__).with_name("clocked")), str(ROOT))),
        }

    def write(self, seconds: int) -> None:
        """It is off by so many seconds from now on; 0 is the time of the machine."""
        draft = self._file.with_suffix(".draft")
        draft.write_text(f"{seconds:+d}\n")
        draft.chmod(0o644)
        draft.replace(self._file)

    @staticmethod
    def wait_until_seen() -> None:
        """All processes have looked at it since."""
        time.sleep(_LOOK_S)


def _remove_what_killed_processes_shared() -> None:
    """The library leaves two files in memory for each process that could not end in order."""
    for file in Path("/dev/shm").glob("*faketime_*"):
        found = _SHARED.fullmatch(file.name)
        if found and not Path(f"/proc/{found[1]}").exists() and file.stat().st_uid == os.geteuid():
            file.unlink(missing_ok=True)
