"""The process of a pull worker: a `webapp.runs.worker.worker.Worker` on the queue of a site, with an end."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from engines.contract.no_pandas import forgo_pandas
from engines.running.runner.client import keep_spare
from webapp.base.flags import Flag
from webapp.runs.pull.site import Site
from webapp.runs.pull.site_access import SiteQueue
from webapp.runs.pull.wall_time import WallTime
from webapp.runs.queue.claim import Offer
from webapp.runs.queue.worker_capabilities import abilities_of_this_machine
from webapp.runs.worker.run_supervisor import Signals
from webapp.runs.worker.worker import Worker

TICK_S = 0.5
GOODBYE_S = 20.0


@dataclass(frozen=True)
class PullOptions:
    """The options of a pull worker.

    Attributes:
        url, token: URL of the site and token for it.
        name: for people; this machine and process by default.
        slots: runs at the same time.
        wall_time: when the cluster ends the worker; None for never.
        idle_s: seconds without a run after which it ends; None for never.
    """

    url: str
    token: str
    name: str = ""
    slots: int = 1
    wall_time: WallTime | None = None
    idle_s: float | None = None


def worker_name() -> str:
    """Return the name of this process: machine, and task of the cluster or process number."""
    task = "_".join(os.environ[name] for name in ("SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID") if name in os.environ)
    return f"{socket.gethostname()}:{task or os.getpid()}"


def end_on_signals(leave: Flag) -> None:
    """Set `leave` on SIGTERM and Ctrl-C."""

    def end(number: int, frame: FrameType | None) -> None:
        leave.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


def pull(options: PullOptions, say: Callable[[str], None]) -> int:
    """Take and run what waits on a site until the end. SIGTERM and Ctrl-C give runs back at once.

    Returns:
        0, or 1 where the site refused the worker; `say` was told why.

    Raises:
        SiteError: the address of the site is not accepted.
    """
    wall = options.wall_time
    signals = Signals(wall_s=wall.seconds if wall else 0.0)
    refusals: list[str] = []

    def refused(words: str) -> None:
        refusals.append(words)
        signals.leave.set()

    end_on_signals(signals.leave)
    forgo_pandas()
    queue = SiteQueue(Site(options.url, options.token, signals.leave), refused, say)
    worker = Worker(options.name or worker_name(), options.slots, Offer(abilities_of_this_machine()), signals, queue)
    keep_spare()
    worker.start_ticker()
    say(f"Worker {worker.name} takes runs of {options.url}.")
    while not signals.leave.wait(TICK_S):
        if wall is not None and wall.drains() and not signals.drain.is_set():
            say("The wall time ends: runs continue on another worker after their next checkpoint.")
            signals.drain.set()
        idle = not worker.busy and signals.drain.is_set()
        since = queue.idle_since
        if options.idle_s is not None and since and not worker.busy and time.monotonic() - since >= options.idle_s:
            say(f"No run for {options.idle_s:g} s: the worker ends.")
            idle = True
        if idle or (wall is not None and wall.is_over()):
            signals.leave.set()
    worker.end(GOODBYE_S)
    for words in refusals[:1]:
        say(words)
    return 1 if refusals else 0
