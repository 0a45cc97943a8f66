"""The library with which tests set the clock of processes of their own (`make chaos`): the system's, else Debian's package."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import debian

PACKAGE = "libfaketime"
_FOLDERS = ("/usr/lib/*/faketime", "/usr/lib/faketime", "/usr/local/lib/faketime", "/usr/lib64/faketime")


def find_library(threads: bool) -> Path | None:
    """Return the library, None where there is none.

    Args:
        threads: the one for processes of several threads. It takes a lock, which one that looks at the clock while it handles a
            signal, as PostgreSQL does, would wait for for ever.
    """
    name = "libfaketimeMT.so.1" if threads else "libfaketime.so.1"
    found = (file for folder in _FOLDERS for file in Path("/").glob(f"{folder[1:]}/{name}"))
    return next(iter(sorted(found)), None)


def main() -> int:
    """Always 0: without the library no clock is set, and the tests say so."""
    if find_library(threads=True) is None and (reason := debian.install(PACKAGE, "tests that set the clock")):
        print(f"No clock will be set by the tests: {reason}. Install {PACKAGE} (on Debian: apt-get install {PACKAGE}).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
