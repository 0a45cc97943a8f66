"""What may break beside workers and runs: full disks, clocks that are set, a web server that is killed, and what teams have."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from tests.support.cut_network import CutNetwork
from tests.support.killed_web import KilledWeb
from tests.support.live import LiveSite
from tests.support.own_redis import OwnRedis
from tests.support.postgresql import OwnServer
from tests.support.set_clock import NoClockError, SetClock
from tests.support.small_disk import NoDiskError, SmallDisk
from tests.support.soak import Fault, continue_where_stopped
from webapp.api.tokens import make_token
from webapp.runs.models import Run

DISK_MB = 512
CUT_S = 3.0
# Longer than a lease lasts, sometimes.
LONGEST_FULL_S, LONGEST_WRONG_S = 14.0, 12.0
HOUR_S, MINUTE_S, MOST_MINUTES = 3600, 60, 10


class OutsideFaults:
    """Makes what is to break before the site that uses it; what cannot be made here is left out.

    Attributes:
        left_out: kind of fault -> why there is none.
    """

    def __init__(self) -> None:
        self.left_out: dict[str, str] = {}
        self._stack = ExitStack()
        self._disks: dict[str, SmallDisk] = {}
        self._clocks: dict[str, SetClock] = {}
        self._server: OwnServer | None = None
        self._more: dict[str, Callable[[], None]] = {}
        self._random = random.Random()

    def __enter__(self) -> OutsideFaults:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    # -- what is to break ---------------------------------------------------------------------------------------------

    def disk(self, name: str) -> Path | None:
        """A disk for what `name` writes, None where none can be mounted."""
        try:
            self._disks[name] = self._stack.enter_context(SmallDisk(DISK_MB))
        except NoDiskError as error:
            self.left_out[f"full disk of {name}"] = str(error)
            return None
        return self._disks[name].folder

    def clock(self, name: str, threads: bool) -> dict[str, str]:
        """Environment of the processes of `name`, which go by a clock of their own; empty where that is not possible.

        Children of runs keep the clock of the machine: they are given chosen variables alone, and read it for lines of the log.
        """
        try:
            self._clocks[name] = self._stack.enter_context(SetClock(threads))
        except NoClockError as error:
            self.left_out[f"jump of the clock of {name}"] = str(error)
            return {}
        return dict(self._clocks[name].environment)

    def team(self, server: OwnServer, broker: OwnRedis, network: CutNetwork) -> None:
        """What there is beside workers in a team."""

        def cut_the_network() -> None:
            network.cut()
            time.sleep(CUT_S)
            network.mend()

        self._server = server
        self._more |= {
            "restart of the database": server.restart,
            "kill -9 of the broker": broker.kill_and_start_again,
            "cut network": cut_the_network,
        }

    # -- faults -------------------------------------------------------------------------------------------------------

    def of(self, site: LiveSite, environment: Mapping[str, str], seed: int) -> dict[str, Fault]:
        """Kind -> fault, with a web server of the site, which is started for it in the workers' environment."""
        self._random.seed(seed)
        web = self._stack.enter_context(KilledWeb(site.database, environment))
        token = make_token(site.ann, "soak")[1]

        def kill_the_web_server(run: Run) -> float:
            web.kill_while_it_changes(f"/api/v1/runs/{run.pk}/", {"wish": "stop"}, token, self._random)
            continue_where_stopped(site, run)
            return time.monotonic()

        faults: dict[str, Fault] = {"kill -9 of the web server": kill_the_web_server}
        faults |= {kind: _without_run(fault) for kind, fault in self._more.items()}
        faults |= {f"full disk of {name}": self._full(disk) for name, disk in self._disks.items()}
        faults |= {f"jump of the clock of {name}": self._jump([clock]) for name, clock in self._clocks.items()}
        if len(self._clocks) > 1:
            faults["jump of the clock of all"] = self._jump(list(self._clocks.values()))
        return faults

    def _full(self, disk: SmallDisk) -> Fault:
        def fill(run: Run) -> float:
            disk.be_full(self._random.uniform(1.0, LONGEST_FULL_S))
            room = time.monotonic()
            if self._server is not None:
                self._server.wait_until_it_answers()  # it ends where it cannot write ahead
            return room

        return fill

    def _jump(self, clocks: list[SetClock]) -> Fault:
        def jump(run: Run) -> float:
            minutes = MINUTE_S * self._random.randint(1, MOST_MINUTES)
            off = self._random.choice((HOUR_S, -HOUR_S, minutes, -minutes))
            _set(clocks, off)
            time.sleep(self._random.uniform(0.0, LONGEST_WRONG_S))
            right = time.monotonic()
            _set(clocks, 0)
            return right

        return jump


def _set(clocks: list[SetClock], seconds: int) -> None:
    for clock in clocks:
        clock.write(seconds)
    SetClock.wait_until_seen()


def _without_run(fault: Callable[[], None]) -> Fault:
    def strike(run: Run) -> None:
        fault()

    return strike
