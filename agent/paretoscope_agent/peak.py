"""A short measurement of a machine's peak and memory bandwidth; run as a process of its own by `machine.measured_peak`."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable

import numpy as np

_SIDE = 768
_BLOCK_BYTES = 96 * 2**20
_LEAST_S = 0.4
_READ_AND_WRITTEN = 2


def operations_per_s() -> float:
    """Return the rate of a product of two fp32 matrices, by numpy's library: the best of some."""
    left, right = (np.full((_SIDE, _SIDE), 0.5, np.float32) for _ in range(2))
    return 2.0 * _SIDE**3 / _best_s(lambda: np.matmul(left, right))


def bandwidth_bytes_per_s(threads: int) -> float:
    """Return the bytes read and written by threads that each copy a block of their own."""
    size = _BLOCK_BYTES // threads // 4
    blocks = [(np.ones(size, np.float32), np.empty(size, np.float32)) for _ in range(threads)]

    def copy_all() -> None:
        workers = [threading.Thread(target=np.copyto, args=(target, source)) for source, target in blocks]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    return _READ_AND_WRITTEN * 4.0 * size * threads / _best_s(copy_all)


def _best_s(work: Callable[[], object]) -> float:
    work()
    best, end = float("inf"), time.perf_counter() + _LEAST_S
    while time.perf_counter() < end:
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return best


if __name__ == "__main__":
    found = {"operations_per_s": operations_per_s(), "bandwidth_bytes_per_s": bandwidth_bytes_per_s(int(sys.argv[1]))}
    sys.stdout.write(json.dumps(found))
