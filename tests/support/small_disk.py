"""A small disk of a test's own, which it may fill: memory of the system, mounted on a temporary folder."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

# Large blocks first, then whatever is left.
_BLOCKS = (1 << 20, 1 << 12, 1)
_LOOK_S = 0.05


class NoDiskError(Exception):
    """None can be mounted; the message says why."""


class SmallDisk:
    """A disk that is there within the block.

    Args:
        megabytes: its size.

    Attributes:
        folder: where it is mounted; everybody may look into it.

    Raises:
        NoDiskError: when the block is entered, where it cannot be mounted.
    """

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes

    def __enter__(self) -> SmallDisk:
        self.folder = Path(tempfile.mkdtemp(prefix="paretoscope-disk-"))
        command = ["mount", "-t", "tmpfs", "-o", f"size={self._megabytes}m,mode=0755", "tmpfs", str(self.folder)]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
            why = result.stderr.strip() if result.returncode else ""
        except (OSError, subprocess.SubprocessError) as error:
            why = str(error)
        if why:
            self.folder.rmdir()
            raise NoDiskError(f"no small disk can be mounted: {why}")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # Whoever still has a file open on it keeps it until then.
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, timeout=30, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def free_bytes(self) -> int:
        """What is left of it."""
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize

    def be_full(self, seconds: float) -> None:
        """Have not a byte left for so long: what others give back is taken at once."""
        end, filler = time.monotonic() + seconds, self.folder / "filler"
        try:
            with filler.open("ab", buffering=0) as stream:
                while True:
                    _fill(stream.fileno())
                    if time.monotonic() >= end:
                        return
                    time.sleep(_LOOK_S)
        finally:
            filler.unlink()


def _fill(descriptor: int) -> None:
    for size in _BLOCKS:
        block = bytes(size)
        try:
            while True:
                os.write(descriptor, block)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
