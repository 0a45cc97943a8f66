"""Ten million rows of a table: seconds and memory of the reader, against numpy's text reader on a tenth of them."""

from __future__ import annotations

import io
import resource
import subprocess
import sys
import time

import numpy as np

from benchmarks.report import Figure, show
from engines.tables.cells import Decimals, Numbers, Texts
from engines.tables.table import Table

ROWS = 10_000_000
_MOST_S, _MOST_GB = 10.0, 1.0


def rows_of(count: int) -> bytes:
    """Return the rows as a logger writes them: seconds, a current, a state."""
    block = b"".join(
        b"%d.%02d,%d.%03d,%s\n" % (n // 100, n % 100, n % 7, n % 1000, (b"idle", b"run")[n % 2]) for n in range(100_000)
    )
    return b"time_s,current_mA,state\n" + block * (count // 100_000)


def read(data: bytes) -> None:
    """Read all three columns."""
    decimals = Decimals()
    Table(data, "log.csv", 41).read({0: Numbers(decimals), 1: Numbers(decimals), 2: Texts()})


def main() -> int:
    """Measure in this process, the memory in a child, which holds the file beside what was read."""
    if sys.argv[1:] == ["child"]:
        read(rows_of(ROWS))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
        return 0
    data, tenth = rows_of(ROWS), rows_of(ROWS // 10)
    start = time.perf_counter()
    read(data)
    taken_s = time.perf_counter() - start
    start = time.perf_counter()
    np.loadtxt(io.BytesIO(tenth), delimiter=",", skiprows=1, usecols=(0, 1))
    peer_s = 10 * (time.perf_counter() - start)
    child = subprocess.run([sys.executable, __file__, "child"], capture_output=True, text=True, check=True)
    return show(
        [
            Figure("reading 10 million rows of 3 columns", taken_s, "s", _MOST_S),
            Figure("memory of a process that reads them", float(child.stdout), "GB", _MOST_GB),
            Figure("numpy.loadtxt of the two columns of numbers, over it", peer_s / taken_s, "times"),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
