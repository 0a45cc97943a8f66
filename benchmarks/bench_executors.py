"""One search on many machines: dask.distributed beside groups of Celery tasks, on the batches that decided between them.

Pieces wait, as those of other machines would: eight workers on two cores then show what the executor costs and not what this
machine lacks. `FULL=1`: 10,000 pieces of 50 ms and 1,000,000 of 1 ms in place of a tenth of each.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.report import Figure, show
from engines.running import cluster as cluster_module
from engines.running.cluster import ClusterExecutor
from tests.support.dask_cluster import DaskCluster
from tests.support.own_redis import OwnRedis

WORKERS = 8
TENTH = 1 if os.environ.get("FULL") else 10
BATCHES = ((10_000 // TENTH, 0.050), (1_000_000 // TENTH, 0.001))
SHARED_BYTES = 1_000_000
ROOT = Path(__file__).resolve().parent.parent

Shared = tuple[float, bytes]
Mapper = Callable[[Shared, list[int]], list[int]]


def piece(shared: Shared, item: int) -> int:
    """Return the waits as long as `shared` says."""
    time.sleep(shared[0])
    return item + len(shared[1])


def share_kept(
    name: str, mapper: Mapper, workers: int, pieces: int, piece_s: float, limit: float | None
) -> list[Figure]:
    """Return how much of the workers' time went into pieces."""
    shared = (piece_s, b"0" * SHARED_BYTES)
    mapper((0.01, b""), list(range(4 * workers)))  # connected, imported
    begin = time.perf_counter()
    found = mapper(shared, list(range(pieces)))
    took_s = time.perf_counter() - begin
    assert found == [item + SHARED_BYTES for item in range(pieces)]
    begin = time.perf_counter()
    for item in range(100):
        piece((piece_s, b""), item)
    really_s = (time.perf_counter() - begin) / 100  # a wait of 1 ms takes a little longer
    title = f"{name}, {workers} workers, {pieces:,} pieces of {piece_s * 1000:g} ms"
    overhead = Figure(f"{title}: beyond the pieces", 1000 * (took_s - pieces * really_s / workers), "ms")
    return [Figure(f"{title}: efficiency", 100 * pieces * really_s / workers / took_s, "%", limit, True), overhead]


@contextlib.contextmanager
def celery_workers(count: int, url: str) -> Iterator[None]:
    """Workers of Celery, one process each."""
    environment = os.environ | {
        "PIECES_URL": url,
        "PYTHONPATH": str(ROOT),
        "C_FORCE_ROOT": "1",
    }  # pickle as root: loopback only
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "benchmarks.celery_pieces",
        "worker",
        "--pool",
        "solo",
        "-l",
        "ERROR",
    ]
    running = [
        subprocess.Popen([*command, "-n", f"pieces{number}@%h"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL)
        for number in range(count)
    ]  # fmt: skip
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def of_celery() -> list[Figure]:
    """Return the groups of tasks over a Redis of their own."""
    figures = []
    with OwnRedis(Path(tempfile.mkdtemp())) as broker, celery_workers(WORKERS, broker.url):
        os.environ["PIECES_URL"] = broker.url
        from benchmarks.celery_pieces import app, map_on_celery

        while len(app.control.ping(timeout=1.0)) < WORKERS:
            time.sleep(0.2)
        for pieces, piece_s in BATCHES:
            size = max(1, int(cluster_module._CHUNK_S / piece_s))

            def mapper(shared: Shared, items: list[int], size: int = size) -> list[int]:
                return map_on_celery("benchmarks.bench_executors", "piece", shared, items, size)

            figures += share_kept("Celery", mapper, WORKERS, pieces, piece_s, None)
    return figures


def of_dask(workers: int, batches: tuple[tuple[int, float], ...], limit: float | None) -> list[Figure]:
    """Return the executor that runs use."""
    figures = []
    with DaskCluster(workers) as cluster, ClusterExecutor(cluster.url) as executor:

        def mapper(shared: Shared, items: list[int]) -> list[int]:
            return executor.map(piece, shared, items)

        for pieces, piece_s in batches:
            figures += share_kept("dask", mapper, workers, pieces, piece_s, limit)
    return figures


def main() -> int:
    """Measure."""
    sys.modules["benchmarks.bench_executors"] = sys.modules["__main__"]
    piece.__module__ = "benchmarks.bench_executors"  # by this name workers find it
    parts = (lambda: of_dask(2, ((400, 0.050),), 85.0), lambda: of_dask(WORKERS, BATCHES, None), of_celery)
    return max([show(part()) for part in parts])


if __name__ == "__main__":
    sys.exit(main())
