"""Executors: independent pieces of work, in order, in place, on processes or on a cluster."""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from engines.contract.errors import ProblemError, WorkerDiedError
from engines.contract.numeric.numbers import whole_number
from engines.contract.progress.run_context import LogLevel
from engines.running.cluster import COMPUTE, ClusterExecutor
from engines.running.pieces import begun_in_place, packed, worked
from engines.running.process_limits import end_with_parent

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Out = TypeVar("Out")

IN_PLACE_BELOW_S = 0.010
_CHUNKS_PER_WORKER = 4


class InPlaceExecutor:
    """Does all work in the calling process."""

    workers = 1

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """Return `[function(shared, item) for item in batch]`."""
        return [function(shared, item) for item in batch]

    def close(self) -> None:
        """Do nothing: this executor holds no resources."""

    def __enter__(self) -> InPlaceExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ProcessExecutor:
    """Does work on `workers` processes where that pays.

    The first item of a batch is always done in place and timed; where the rest would take less than `IN_PLACE_BELOW_S`
    (10 ms) it is done in place as well. Processes are spawned, never forked: a fork of a process with threads can hang.
    """

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ValueError(f"A ProcessExecutor must have at least one worker. Got {workers} instead.")
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """Return `[function(shared, item) for item in batch]`; `function` must be importable by name.

        Raises:
            WorkerDiedError: a process ended in the middle of its work (killed, out of memory).
        """
        below_s = math.inf if self.workers == 1 else IN_PLACE_BELOW_S
        done, rest, _ = begun_in_place(function, shared, batch, below_s)
        if not len(rest):
            return done
        try:
            return [*done, *self._map_on_pool(function, shared, rest)]
        except BrokenProcessPool as error:
            self.close()
            raise WorkerDiedError("A worker process of the run ended in the middle of its work.") from error

    def _map_on_pool(self, function: Callable[[Shared, Item], Out], shared: Shared, items: Sequence[Item]) -> list[Out]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=multiprocessing.get_context("spawn"), initializer=end_with_parent
            )
        key, data = packed(shared)
        size = max(1, -(-len(items) // (self.workers * _CHUNKS_PER_WORKER)))
        chunks = [items[start : start + size] for start in range(0, len(items), size)]
        futures = [self._pool.submit(_work, function, key, data, list(chunk)) for chunk in chunks]
        return [out for future in futures for out in future.result()]

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def __enter__(self) -> ProcessExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def executor_for(
    workers: int, url: str | None = None, outage: str = COMPUTE, say: Callable[[str, LogLevel], None] | None = None
) -> InPlaceExecutor | ProcessExecutor | ClusterExecutor:
    """Return the executor that suits that number of workers, or the cluster at `url` where there is one; see there.

    Raises:
        ProblemError: `workers` is no whole number from 1 on.
        ValueError: `url` is no address of a scheduler.
    """
    count = whole_number(workers)
    if count is None or count < 1:
        raise ProblemError("workers", workers, "a whole number of processes, at least 1")
    if url:
        return ClusterExecutor(url, outage, say)
    return InPlaceExecutor() if count == 1 else ProcessExecutor(count)


def _work(function: Callable[[Any, Any], Any], key: bytes, data: bytes, items: list[Any]) -> list[Any]:
    """Compute a part of the batch in a worker process."""
    return worked(function, key, lambda: data, items)
