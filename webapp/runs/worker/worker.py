"""A worker process: slots for keepers, and a thread that looks for itself, sweeps, and gives signs of life.

The message `runs.look` wakes a worker at once; without any message it looks twice a second. On SIGTERM its keepers release
their runs at once, so that other workers continue.
"""

from __future__ import annotations

import atexit
import logging
import os
import socket
import threading
import time
from dataclasses import replace
from functools import cache
from typing import Any

from celery.signals import worker_init, worker_ready
from django.conf import settings
from django.db import connections

from engines.contract.no_pandas import forgo_pandas
from engines.running.runner.client import keep_spare
from webapp.base.connection_pool import give_back
from webapp.base.database_waits import KEEPERS_WAIT_S, STANDSTILL_S, hold_no_locks, wait_for_writes
from webapp.base.flags import leaving
from webapp.base.log_lines import about_run
from webapp.base.preparation import wait_for_preparation
from webapp.runs.queue import claim
from webapp.runs.queue.worker_capabilities import abilities_of_this_machine
from webapp.runs.worker.database_access import DatabaseQueue
from webapp.runs.worker.disk_space import full_folders, no_room_words
from webapp.runs.worker.run_access import RunQueue
from webapp.runs.worker.run_supervisor import RunSupervisor, Signals

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5
SWEEP_EVERY_S = 1.0
LOOK_AT_MACHINE_EVERY_S = 2.0


class Worker:
    """The shared state of one worker process: its name, slots and signals.

    Attributes:
        name: unique among all workers; also the owner named in leases.
        slots: runs kept at the same time.
        queue: source of runs; the database by default.
        offer: what it brings; looked up again while its thread ticks, since torch may be installed after it was started.
    """

    def __init__(
        self,
        name: str,
        slots: int,
        offer: claim.Offer,
        signals: Signals | None = None,
        queue: RunQueue | None = None,
    ) -> None:
        """Keep the name, places and offer; `look` or `start_ticker` begins the work."""
        self.name, self.slots, self.offer = name, slots, offer
        self.signals = signals or Signals()
        self.queue: RunQueue = queue or DatabaseQueue()
        self._free = threading.BoundedSemaphore(slots)
        self._busy = 0
        self._lock = threading.Lock()
        self._ticker: threading.Thread | None = None
        self._no_room = ""

    @property
    def busy(self) -> int:
        """Runs being kept now."""
        return self._busy

    def look(self) -> int:
        """Claim and execute runs until the queue is empty or all slots are in use.

        Returns:
            how many were kept.
        """
        if not self._free.acquire(blocking=False):
            return 0
        kept = 0
        try:
            while not self.signals.leave.is_set() and self._look_once():
                kept += 1
        finally:
            self._free.release()
        return kept

    def _has_room(self) -> bool:
        """Return whether what a run writes has a place here; it says so when that changes."""
        folders = full_folders()
        words = no_room_words(folders) if folders else ""
        if words != self._no_room:
            self._no_room = words
            logger.warning("%s", f"{words} It takes no run until there is space." if words else "There is space again.")
        return not folders

    def _look_once(self) -> bool:
        takes = not self.signals.drain.is_set() and self._has_room()
        access = self.queue.take(self.name, self.offer) if takes else None
        if access is None:
            return False
        fencing_token = access.fencing_token
        with self._lock:
            self._busy += 1
        try:
            with about_run(fencing_token.run_id):
                logger.info("Run %s, attempt %s: begins.", fencing_token.run_id, fencing_token.attempt)
                ending = RunSupervisor(fencing_token, self.signals, offer=self.offer, access=access).keep()
                logger.info("Run %s, attempt %s: %s.", fencing_token.run_id, fencing_token.attempt, ending)
        finally:
            with self._lock:
                self._busy -= 1
        return True

    # -- the thread that needs no messages ----------------------------------------------------------------------------

    def start_ticker(self) -> None:
        """Start looking, sweeping and beating."""
        self._ticker = threading.Thread(target=self._tick_until_left, name="runs-ticker", daemon=True)
        self._ticker.start()

    def leave(self) -> None:
        """Release every run at once and stop looking. Returns at once; keepers end within a tick."""
        self.signals.leave.set()

    def end(self, timeout_s: float = 5.0) -> None:
        """Leave, and wait, at most so long, for the threads that release the runs and say goodbye: they end with the process."""
        self.leave()
        end = time.monotonic() + timeout_s
        for _ in range(self.slots):  # a slot that looks may be about to get a run
            self._free.acquire(timeout=max(0.0, end - time.monotonic()))
        if self._ticker is not None:
            self._ticker.join(max(0.0, end - time.monotonic()))

    def _tick_until_left(self) -> None:
        swept = machine_seen = 0.0
        while not self.signals.leave.wait(LOOK_EVERY_S):
            try:
                if time.monotonic() - machine_seen >= LOOK_AT_MACHINE_EVERY_S:
                    machine_seen = time.monotonic()
                    self._look_at_machine()
                self._look_in_own_thread()
                if time.monotonic() - swept >= SWEEP_EVERY_S:
                    swept = time.monotonic()
                    self.queue.beat(self.name, self.slots, self.busy, self.offer)
            except Exception:  # the database may be away for a while; the thread must outlive that
                logger.exception("A query failed; the worker continues.")
                connections.close_all()
            give_back()
        self._farewell()

    def _look_at_machine(self) -> None:
        now = replace(self.offer, abilities=abilities_of_this_machine())
        if now != self.offer:
            logger.info("This worker offers %s from now on.", ", ".join(sorted(now.abilities)) or "nothing")
            self.offer = now

    def _look_in_own_thread(self) -> None:
        if (
            self.busy < self.slots
            and not self.signals.drain.is_set()
            and self._has_room()
            and self.queue.has_runs(self.offer)
        ):
            threading.Thread(target=self._look_and_close, name="runs-keeper", daemon=True).start()

    def _look_and_close(self) -> None:
        try:
            self.look()
        except Exception:  # thread boundary
            logger.exception("A query failed; the worker continues.")
        finally:
            connections.close_all()

    def _farewell(self) -> None:
        try:
            self.queue.forget(self.name)
        except Exception:  # the beat goes stale by itself
            logger.debug("The worker's last heartbeat could not be deleted.", exc_info=True)
        finally:
            connections.close_all()


@cache
def current_worker() -> Worker:
    """Return the worker of this process; made on first use."""
    return Worker(
        name=f"{socket.gethostname()}:{os.getpid()}",
        slots=settings.PARETOSCOPE_WORKER_SLOTS,
        offer=claim.Offer(abilities_of_this_machine(), settings.PARETOSCOPE_WORKER_SHORT_ONLY),
        signals=Signals(leave=leaving),
    )


@worker_init.connect  # type: ignore[untyped-decorator]  # celery has no types
def _prepare(**kwargs: Any) -> None:
    """Load what keepers import before the first message, not after it."""
    wait_for_writes(KEEPERS_WAIT_S)
    hold_no_locks(STANDSTILL_S)
    forgo_pandas()
    wait_for_preparation(settings.PARETOSCOPE_START_AFTER)
    current_worker()


@worker_ready.connect  # type: ignore[untyped-decorator]  # celery has no types
def _begin(**kwargs: Any) -> None:
    keep_spare()  # a run then starts in a few hundredths of a second; the spare ends with this process
    current_worker().start_ticker()
    atexit.register(current_worker().end)  # not in the handler of a signal, which may neither wait nor start a thread
