"""One search on many machines: batches go to the workers of a dask.distributed cluster (`EXECUTOR_URL`).

Why dask.distributed and not groups of Celery tasks: `docs/scaling.md`.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engines.contract.errors import WorkerDiedError
from engines.contract.progress.run_context import LogLevel
from engines.running import cluster_link
from engines.running.cluster_link import ClusterAwayError, ClusterLink, answered, is_over, pauses
from engines.running.pieces import begun_in_place, packed, worked

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Out = TypeVar("Out")

SCHEMES = ("tcp", "tls")
COMPUTE, WAIT = ("COMPUTE", "WAIT")
IN_PLACE_BELOW_S = 0.05  # to a worker and back takes some milliseconds for a batch
# Of work: the scheduler's share (under 1 ms) vanishes in it, and little is done again where a worker is lost.
_CHUNK_S = 0.25
_CHUNKS_PER_WORKER = 4
# Chunks handed out and not yet taken back: workers never wait, and a million pieces do not fill the scheduler.
_AHEAD_PER_WORKER = 8
_LOOK_S = 2.0
# No chunk came back for so long, or for so many times what one takes: workers hang, or others keep them busy.
STALLED_S, _STALLED_TIMES = 20.0, 20.0
_BYTES_PER_S = 1e6  # what a slow network carries: shared values have so much longer
_PLACE = "paretoscope-shared"
_TRIES = 8
_ADDRESS = re.compile(rf"\b(?:{'|'.join(SCHEMES)})://[^\s,;>]+")


class _PieceError(Exception):
    """An error of the engine itself that looks like a loss of the cluster."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass
class _Batch:
    """Items, and the results of the first of them; `item_s`: what one takes."""

    function: Callable[[Any, Any], Any]
    shared: Any
    items: Sequence[Any]
    item_s: float
    done: list[Any] = field(default_factory=list)

    @property
    def left(self) -> int:
        """Items without a result."""
        return len(self.items) - len(self.done)

    def chunk_size(self, workers: int) -> int:
        """Return the number of items of a chunk, so that each worker gets some."""
        return max(1, min(int(_CHUNK_S / max(self.item_s, 1e-6)), -(-self.left // (workers * _CHUNKS_PER_WORKER))))

    def do(self, count: int) -> None:
        """Do the next `count` items in this process."""
        begin = len(self.done)
        self.done += [self.function(self.shared, item) for item in self.items[begin : begin + count]]


class ClusterExecutor:
    """Does work on the workers of a dask.distributed scheduler where that pays.

    The first item of a batch is always done in place and timed; where the rest would take less than `IN_PLACE_BELOW_S`
    it is done in place as well. A chunk whose worker is lost or frozen is done by another one; results keep the order of
    the batch, so that they equal those of `InPlaceExecutor` byte for byte. Workers must run the very code of this process;
    others are refused. Every call to the scheduler has a deadline, and a cluster that is away ends nothing.

    Args:
        url: URL of the scheduler, `tcp://HOST:PORT` or `tls://HOST:PORT` (certificates as dask's own configuration names them).
        outage: while the cluster is away, pieces are done in place (`COMPUTE`) or wait for it (`WAIT`).
        say: is told when the cluster is away and when it answers again.

    Raises:
        ValueError: `url` is no such address.
    """

    def __init__(self, url: str, outage: str = COMPUTE, say: Callable[[str, LogLevel], None] | None = None) -> None:
        scheme, _, rest = url.partition("://")
        host, _, port = rest.rpartition(":")
        if scheme not in SCHEMES or not host or not port.isdecimal():
            raise ValueError(
                f"EXECUTOR_URL must be tcp://HOST:PORT or tls://HOST:PORT of a dask scheduler. Got {url!r} instead."
            )
        self.url = url
        self._waits, self._say = outage == WAIT, say or (lambda text, level: None)
        self._place = [_PLACE, uuid.uuid4().hex]
        self._link: ClusterLink | None = None
        self._heard_at = self._looked_at = 0.0
        self._said, self._tell_at, self._pauses = False, 0.0, pauses()

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """Return `[function(shared, item) for item in batch]`; `function` must be importable by name.

        Raises:
            WorkerDiedError: a chunk ended each worker that took it; or the run waits for its cluster, which was lost again and
                again before any chunk came back.
        """
        done, rest, item_s = begun_in_place(function, shared, batch, IN_PLACE_BELOW_S)
        return [*done, *self._map_on_cluster(_Batch(function, shared, rest, item_s))] if len(rest) else done

    def _map_on_cluster(self, batch: _Batch) -> list[Any]:
        from distributed import KilledWorker

        link = self._link = self._link or ClusterLink(self.url, self._say_away)
        self._heard_at, lost = time.monotonic(), 0
        while batch.left:
            patience_s = _LOOK_S if self._waits else 0.0
            left, client = batch.left, link.client(patience_s if self._said else cluster_link.LATE_S - self._quiet_s)
            if client is None:
                self._say_away(link.reason)
                if not self._waits:
                    batch.do(batch.chunk_size(1))
                continue
            # A long piece may keep its worker from giving signs: each time that the batch is handed out again it gets longer.
            link.silent_s = cluster_link.SILENT_S * 2 ** (lost // 2)
            try:
                self._collect(link, client, batch)
            except _PieceError as error:
                raise error.reason from None
            except KilledWorker as error:
                raise WorkerDiedError("A piece of the batch ended each worker of the cluster that took it.") from error
            except ClusterAwayError as error:
                link.give_up(str(error))
                lost = lost + 1 if batch.left == left else 0
                if lost == _TRIES:
                    words = f"it was lost {lost} times: {error}"
                    if self._waits:
                        raise WorkerDiedError(_without_addresses(f"The cluster gives no results: {words}.")) from error
                    self._say_away(words)
                    batch.do(batch.left)
        return batch.done

    def _collect(self, link: ClusterLink, client: Client, batch: _Batch) -> None:
        """Append what is left of the results to `batch.done`, in order."""
        avoided, among = set(link.silent), link.live
        key, data = packed(batch.shared)
        # The scheduler keeps it, and each worker fetches it once: workers need not reach each other, and none that is lost
        # takes it along.
        within_s = cluster_link.CALL_WITHIN_S + len(data) / _BYTES_PER_S
        link.call(lambda: client.set_metadata(self._place, {"key": key, "packed": data}), within_s)
        size = batch.chunk_size(max(1, len(among)))
        begins = iter(range(len(batch.done), len(batch.items), size))
        waiting: deque[Future[Any]] = deque()
        only = {"workers": sorted(among)} if avoided and among else {}

        def hand_out(count: int) -> None:
            for begin in islice(begins, count):
                work = (_work, batch.function, key, self._place, list(batch.items[begin : begin + size]), fingerprint())
                waiting.append(link.call(partial(_submitted, client, work, only)))

        def look() -> None:
            if time.monotonic() - self._looked_at >= _LOOK_S:
                self._looked_at = time.monotonic()
                link.call(lambda: link.look(client))
                if link.silent - avoided or (only and not link.live & among):
                    raise ClusterAwayError(f"workers ({len(link.silent)}) have given no sign for {link.silent_s:g} s")

        self._heard_at = time.monotonic()
        try:
            hand_out(max(1, len(among)) * _AHEAD_PER_WORKER)
            while waiting:
                self._take(link, waiting[0], batch, size, look)
                waiting.popleft()
                hand_out(1)
        finally:
            with contextlib.suppress(ClusterAwayError):
                link.call(lambda: client.cancel(list(waiting)), cluster_link.LATE_S)

    def _take(self, link: ClusterLink, future: Future[Any], batch: _Batch, size: int, look: Callable[[], None]) -> None:
        """Append the results of that chunk; compute them here where nothing has come back for too long, unless the run waits."""
        handle, stalled_s = link.begin(lambda: _taken(future)), max(STALLED_S, _STALLED_TIMES * size * batch.item_s)
        try:
            while not is_over(handle, _LOOK_S if self._waits or self._quiet_s < stalled_s else 0.0):
                look()
                if self._quiet_s >= stalled_s:
                    self._say_away(f"nothing has come back for {self._quiet_s:.0f} s")
                    if not self._waits:
                        batch.do(size)
                        return
            batch.done += handle.result()
        finally:
            handle.cancel()
        if self._said:
            self._say("The cluster answers again.", "info")
        self._heard_at, self._said = time.monotonic(), False

    @property
    def _quiet_s(self) -> float:
        """Seconds in which nothing came back."""
        return time.monotonic() - self._heard_at

    def _say_away(self, reason: str) -> None:
        """Report each outage once; again after growing pauses where the run waits, as a silent run counts as one that hangs."""
        now = time.monotonic()
        if self._said and not (self._waits and now >= self._tell_at):
            return
        self._pauses = self._pauses if self._said else pauses()
        self._said, self._tell_at = True, now + next(self._pauses)
        if self._waits:
            words = f"The run waits for the cluster: {reason}. It tries again after each pause."
        else:
            words = f"The cluster gives no results: {reason}. The run computes in its own process meanwhile."
        self._say(_without_addresses(words), "waiting")

    def close(self) -> None:
        """Leave the cluster; its workers continue for others."""
        if self._link is not None:
            self._link.close(lambda client: client.set_metadata(self._place, None))
            self._link = None

    def __enter__(self) -> ClusterExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _submitted(client: Client, work: tuple[Any, ...], only: dict[str, Any]) -> Future[Any]:
    return client.submit(*work, pure=False, **only)


async def _taken(future: Future[Any]) -> list[Any]:
    """Return the results of that chunk.

    Raises:
        _PieceError: the engine raised an error of the operating system.
        ClusterAwayError: the chunk is lost.
    """
    try:
        found: list[Any] = await answered(future.result)
        return found
    except ClusterAwayError as error:
        if future.status == "error" and isinstance(error.__cause__, OSError):
            raise _PieceError(error.__cause__) from error
        raise


def _without_addresses(words: str) -> str:
    """Replace addresses of the cluster: everybody who sees the run reads the words."""
    return _ADDRESS.sub("the cluster", words)


@cache
def fingerprint() -> str:
    """Return a hash (32 hex digits) of Python, numpy and all source files of engines and hardware, on which results may depend."""
    import numpy as np

    root = Path(__file__).resolve().parents[2]
    total = hashlib.blake2b(f"{sys.version_info[:2]} {np.__version__}".encode(), digest_size=16)
    for path in sorted(path for name in ("engines", "hardware") for path in (root / name).rglob("*.py")):
        total.update(f"{path.relative_to(root)} ".encode() + hashlib.blake2b(path.read_bytes()).digest())
    return total.hexdigest()


def _work(
    function: Callable[[Any, Any], Any], key: bytes, place: list[str], items: list[Any], asked_by: str
) -> list[Any]:
    """Return the runs in a worker.

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
