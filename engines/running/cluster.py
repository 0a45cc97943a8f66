"""One search on many machines: batches go to the workers of a dask.distributed cluster (`EXECUTOR_URL`).

Why dask.distributed and not groups of Celery tasks: `docs/scaling.md`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engines.contract.errors import WorkerDiedError
from engines.running.pieces import begun_in_place, packed, worked

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Out = TypeVar("Out")

SCHEMES = ("tcp", "tls")
CONNECT_WITHIN_S = 15.0
# A worker that starts again, or a switch that does, is back by then; a run that waits longer is given to another attempt.
NO_WORKERS_S = 60.0
IN_PLACE_BELOW_S = 0.05  # to a worker and back takes some milliseconds for a batch
# Of work: the scheduler's share (under 1 ms) vanishes in it, and little is done again where a worker is lost.
_CHUNK_S = 0.25
_CHUNKS_PER_WORKER = 4
# Chunks handed out and not yet taken back: workers never wait, and a million pieces do not fill the scheduler.
_AHEAD_PER_WORKER = 8
_LOOK_S = 2.0
_PLACE = "paretoscope-shared"
_TRIES = 3


class _PieceError(Exception):
    """What the engine itself raised, which looks like a loss of the cluster."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class ClusterExecutor:
    """Does work on the workers of a dask.distributed scheduler where that pays.

    The first item of a batch is always done in place and timed; where the rest would take less than `IN_PLACE_BELOW_S`
    it is done in place as well. A chunk whose worker is lost is done by another one; results keep the order of the
    batch, so that they equal those of `InPlaceExecutor` byte for byte. Workers must run the very code of this process;
    others are refused.

    Args:
        url: of the scheduler, `tcp://HOST:PORT` or `tls://HOST:PORT` (certificates as dask's own configuration names them).

    Raises:
        ValueError: `url` is no such address.
    """

    def __init__(self, url: str) -> None:
        scheme, _, rest = url.partition("://")
        host, _, port = rest.rpartition(":")
        if scheme not in SCHEMES or not host or not port.isdecimal():
            raise ValueError(
                f"EXECUTOR_URL must be tcp://HOST:PORT or tls://HOST:PORT of a dask scheduler. Got {url!r} instead."
            )
        self.url = url
        self._client: Client | None = None

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """`[function(shared, item) for item in batch]`; `function` must be importable by name.

        Raises:
            WorkerDiedError: the scheduler cannot be reached, no worker is left, or a chunk ended each worker that took it.
        """
        done, rest, item_s = begun_in_place(function, shared, batch, IN_PLACE_BELOW_S)
        return [*done, *self._map_on_cluster(function, shared, rest, item_s)] if len(rest) else done

    def _map_on_cluster(
        self, function: Callable[[Shared, Item], Out], shared: Shared, items: Sequence[Item], item_s: float
    ) -> list[Out]:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError

        done: list[Out] = []
        for attempt in range(1, _TRIES + 1):
            try:
                self._collect(function, shared, items, item_s, done)
                return done
            except _PieceError as error:
                raise error.reason from None
            except KilledWorker as error:
                raise WorkerDiedError(f"A piece of the batch ended each worker of {self.url} that took it.") from error
            except (FutureCancelledError, CommClosedError, OSError, TimeoutError) as error:
                # The scheduler is gone, or was for a moment: what is left is sent again.
                self.close()
                if attempt == _TRIES:
                    raise WorkerDiedError(f"The scheduler at {self.url} or its workers were lost: {error}.") from error
        raise AssertionError("unreachable")

    def _collect(
        self,
        function: Callable[[Shared, Item], Out],
        shared: Shared,
        items: Sequence[Item],
        item_s: float,
        done: list[Out],
    ) -> None:
        """Append the results of `items[len(done):]` to `done`, in order."""
        client = self._connected()
        workers = self._workers(client)
        left = len(items) - len(done)
        size = max(1, min(int(_CHUNK_S / max(item_s, 1e-6)), -(-left // (workers * _CHUNKS_PER_WORKER))))
        key, data = packed(shared)
        # The scheduler keeps it, and each worker fetches it once: workers need not reach each other, and none that is lost
        # takes it along.
        place = [_PLACE, client.id]
        client.set_metadata(place, {"key": key, "packed": data})
        begins = iter(range(len(done), len(items), size))
        waiting: deque[Future[Any]] = deque()

        def hand_out(count: int) -> None:
            for begin in islice(begins, count):
                chunk = list(items[begin : begin + size])
                waiting.append(client.submit(_work, function, key, place, chunk, fingerprint(), pure=False))

        try:
            hand_out(workers * _AHEAD_PER_WORKER)
            while waiting:
                done += self._result(client, waiting[0])
                waiting.popleft()
                hand_out(1)
        finally:
            client.cancel(list(waiting))

    def _result(self, client: Client, future: Future[Any]) -> list[Any]:
        """What that chunk came to, waited for as long as anybody can be at work on it."""
        alone_since: float | None = None
        while True:
            try:
                found: list[Any] = future.result(timeout=_LOOK_S)
                return found
            except OSError as error:
                if future.status == "error":
                    raise _PieceError(error) from error
                if not isinstance(error, TimeoutError):
                    raise
                if client.scheduler_info(n_workers=-1)["workers"]:
                    alone_since = None
                    continue
                alone_since = alone_since or time.monotonic()
                if time.monotonic() - alone_since > NO_WORKERS_S:
                    raise WorkerDiedError(f"No worker was left at {self.url} for {NO_WORKERS_S:g} s.") from None

    def _connected(self) -> Client:
        from distributed import Client

        if self._client is None:
            try:
                self._client = Client(self.url, timeout=CONNECT_WITHIN_S, set_as_default=False)
            except OSError as error:
                raise WorkerDiedError(f"The scheduler of EXECUTOR_URL={self.url} does not answer: {error}.") from error
        return self._client

    def _workers(self, client: Client) -> int:
        """How many there are; waits for the first."""
        try:
            client.wait_for_workers(1, timeout=NO_WORKERS_S)
        except TimeoutError as error:
            raise WorkerDiedError(f"No worker came to {self.url} within {NO_WORKERS_S:g} s.") from error
        return max(1, len(client.scheduler_info(n_workers=-1)["workers"]))

    def close(self) -> None:
        """Leave the cluster; its workers go on for others."""
        if self._client is not None:
            with contextlib.suppress(OSError, TimeoutError, RuntimeError):  # the scheduler may be gone
                self._client.set_metadata([_PLACE, self._client.id], None)
            self._client.close(timeout=2)
            self._client = None

    def __enter__(self) -> ClusterExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@functools.cache
def fingerprint() -> str:
    """What results may depend on: Python, numpy, and every source file of engines and hardware; 32 hex digits."""
    import numpy as np

    root = Path(__file__).resolve().parents[2]
    total = hashlib.blake2b(f"{sys.version_info[:2]} {np.__version__}".encode(), digest_size=16)
    for path in sorted(path for name in ("engines", "hardware") for path in (root / name).rglob("*.py")):
        total.update(f"{path.relative_to(root)} ".encode() + hashlib.blake2b(path.read_bytes()).digest())
    return total.hexdigest()


def _work(
    function: Callable[[Any, Any], Any], key: bytes, place: list[str], items: list[Any], asked_by: str
) -> list[Any]:
    """Runs in a worker.

    Raises:
        RuntimeError: the worker runs other code than the process that asks, or the batch is over.
    """
    if asked_by != fingerprint():
        raise RuntimeError(
            "A worker of EXECUTOR_URL runs another version of Paretoscope, of Python or of numpy than the run: "
            "results could differ. Start the cluster's workers from the same release."
        )

    def fetch() -> bytes:
        from distributed import get_client

        sent = get_client().get_metadata(place)
        if sent is None or sent["key"] != key:
            raise RuntimeError("The batch of this piece is over.")
        return bytes(sent["packed"])

    return worked(function, key, fetch, items)
