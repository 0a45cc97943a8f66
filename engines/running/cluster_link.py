"""A client of a dask scheduler whose every call has a deadline, and which looks for a cluster that is away."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from distributed import Client

Value = TypeVar("Value")

CALL_WITHIN_S = 15.0
# Workers send a sign twice a second, or every six seconds where there are a thousand.
SILENT_S = 15.0
LATE_S = 5.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 5.0, 300.0
_CLOSE_WITHIN_S = 2.0
_LOST = "the connection to its scheduler was lost"


class ClusterAwayError(Exception):
    """An error for a scheduler that does not answer, or whose workers do not answer."""


def pauses() -> Iterator[float]:
    """Yield the seconds between tries, each twice the one before, up to the longest."""
    pause_s = FIRST_PAUSE_S
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


class ClusterLink:
    """A client in an event loop of its own: the thread that asks never waits longer than it wants to.

    Args:
        url: URL of the scheduler.
        late: called in the thread that asks, where a call has not been answered for `LATE_S`.

    Attributes:
        reason: why the cluster was away at the last try.
        silent_s: time without a heartbeat after which a worker counts as silent (dead, frozen or disconnected).
        live: addresses of the scheduler's workers that give signs; those that do not are `silent`.
    """

    def __init__(self, url: str, late: Callable[[str], None]) -> None:
        """Start the thread, which ends with the process at the latest; connect when a client is asked for."""
        self.url, self._late = url, late
        self.reason = f"it has not answered for {LATE_S:g} s"
        self.silent_s = SILENT_S
        # Address of a worker -> the scheduler's time of its last sign, and when that was first seen by the clock here.
        self._signs: dict[str, tuple[float, float]] = {}
        self.live: set[str] = set()
        self.silent: set[str] = set()
        self._connecting: concurrent.futures.Future[Client] | None = None
        self._loop, self._ended = asyncio.new_event_loop(), asyncio.Event()
        self._closing: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._serve, name="cluster", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._until_closed())

    async def _until_closed(self) -> None:
        await self._ended.wait()
        if self._closing:
            await asyncio.wait(self._closing)

    # -- calls --------------------------------------------------------------------------------------------------------

    def begin(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> concurrent.futures.Future[Value]:
        """Run `work()` in the loop; cancelling the result cancels it there."""
        return asyncio.run_coroutine_threadsafe(work(), self._loop)

    def call(self, work: Callable[[], Awaitable[Value]], within_s: float | None = None) -> Value:
        """Return the result of `work()` within `within_s` seconds, `CALL_WITHIN_S` by default.

        Raises:
            ClusterAwayError: it gave nothing until then, or the connection was lost.
        """
        limit_s = CALL_WITHIN_S if within_s is None else within_s
        handle, end = self.begin(lambda: answered(work)), time.monotonic() + limit_s
        if limit_s > LATE_S and not is_over(handle, LATE_S):
            self._late(f"its scheduler has not answered for {LATE_S:g} s")
        if not is_over(handle, end - time.monotonic()):
            handle.cancel()
            raise ClusterAwayError(f"its scheduler did not answer within {limit_s:g} s")
        return handle.result()

    # -- the client ---------------------------------------------------------------------------------------------------

    def client(self, within_s: float) -> Client | None:
        """Return the client of a cluster with a worker; None where none is found within `within_s`: the search continues."""
        if self._connecting is None:
            self._connecting = self.begin(self._connect)
        if not is_over(self._connecting, within_s):
            return None
        client = self._connecting.result()
        if client.status == "running":
            return client
        self.give_up(_LOST)  # since it was used last
        return self.client(within_s)

    def give_up(self, reason: str) -> None:
        """Close the client; the next call connects to another one."""
        self.reason, client = reason, self._let_go()
        self._signs = {address: sign for address, sign in self._signs.items() if address in self.live | self.silent}
        if client is not None:
            self._loop.call_soon_threadsafe(self._leave, client)

    def close(self, last: Callable[[Client], Awaitable[Any]]) -> None:
        """End client and thread, after `last` where the cluster answers."""
        client = self._let_go()
        if client is not None:
            with contextlib.suppress(ClusterAwayError):
                self.call(lambda: last(client), _CLOSE_WITHIN_S)
            self._loop.call_soon_threadsafe(self._leave, client)
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(2 * _CLOSE_WITHIN_S)

    def _let_go(self) -> Client | None:
        connecting, self._connecting = self._connecting, None
        if connecting is None or connecting.cancel() or connecting.exception() is not None:
            return None
        return connecting.result()

    async def _connect(self) -> Client:
        """Try until there is one."""
        for pause_s in pauses():
            try:
                return await self._connected()
            except ClusterAwayError as error:
                self.reason = str(error)
            await asyncio.sleep(pause_s)
        raise AssertionError("unreachable")

    async def _connected(self) -> Client:
        from distributed import Client

        client = Client(self.url, asynchronous=True, timeout=CALL_WITHIN_S, set_as_default=False)
        try:
            await _answered_within(lambda: client, CALL_WITHIN_S)
            await _answered_within(lambda: self.look(client), CALL_WITHIN_S)
        except BaseException:  # and cancelled, when it is closed meanwhile
            self._leave(client)
            raise
        return client

    def _leave(self, client: Client) -> None:
        """Close it; nobody waits for a scheduler that does not answer."""
        closing = asyncio.ensure_future(_closed(client))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    # -- its workers --------------------------------------------------------------------------------------------------

    async def look(self, client: Client) -> None:
        """Ask the scheduler which workers it has, and when each gave its last sign. Raises `ClusterAwayError` where none did."""
        if client.status != "running":
            raise ClusterAwayError(_LOST)
        assert client.scheduler is not None
        found = (await client.scheduler.identity(n_workers=-1))["workers"]
        now = time.monotonic()
        for address, worker in found.items():
            if self._signs.get(address, (None,))[0] != worker["last_seen"]:
                self._signs[address] = (worker["last_seen"], now)
                self.silent.discard(address)
        late = {address for address, (_, heard) in self._signs.items() if now - heard >= self.silent_s}
        self.silent = (self.silent | late) & found.keys()
        self.live = found.keys() - self.silent
        self._signs = {
            address: sign for address, sign in self._signs.items() if address in found or address not in late
        }
        if not self._signs.keys() - self.silent:  # one that went away may be back at once
            none = f"none of its workers ({len(found)}) has given a sign for {self.silent_s:g} s"
            raise ClusterAwayError(none if found else "it has no worker")


def is_over(handle: concurrent.futures.Future[Any], within_s: float) -> bool:
    """Return whether `handle` is done within so many seconds."""
    concurrent.futures.wait([handle], within_s)
    return handle.done()


async def answered(work: Callable[[], Awaitable[Value]]) -> Value:
    """Return what `work()` gives, in the loop, where clients wait for nothing. A lost connection is a cluster that is away."""
    from distributed.client import ClosedClientError, FutureCancelledError

    try:
        return await work()
    except (FutureCancelledError, ClosedClientError) as error:
        raise ClusterAwayError(_LOST) from error
    except OSError as error:
        raise ClusterAwayError(f"{_LOST}: {error}") from error


async def _answered_within(work: Callable[[], Awaitable[Value]], seconds: float) -> Value:
    task = asyncio.ensure_future(answered(work))
    await asyncio.wait({task}, timeout=seconds)  # `wait_for` would wait on for what does not let itself be cancelled
    if not task.done():
        task.cancel()
        raise ClusterAwayError(f"its scheduler did not answer within {seconds:g} s")
    return task.result()


async def _closed(client: Client) -> None:
    with contextlib.suppress(Exception):
        await _answered_within(lambda: client._close(fast=True), _CLOSE_WITHIN_S)
