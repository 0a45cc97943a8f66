"""Other load of the machine, from the kernel's counters of busy time."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from paretoscope_agent.errors import LoadedError

_STAT = Path("/proc/stat")


@dataclass(frozen=True)
class Watch:
    """A moment: on the clock, of all cores together, and of this process with the children that it waited for."""

    clock_s: float
    busy_s: float
    own_s: float

    @classmethod
    def start(cls) -> Watch:
        """Return the present load."""
        own = os.times()
        return cls(time.monotonic(), _busy_s(), own.user + own.system + own.children_user + own.children_system)

    def others_cores(self) -> float:
        """Return the cores that other programs, and other machines on the same hardware (steal), used since then."""
        now = Watch.start()
        passed = max(now.clock_s - self.clock_s, 1e-6)
        return max(0.0, (now.busy_s - self.busy_s) - (now.own_s - self.own_s)) / passed


def cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


def check_load(most_cores: float, watch_s: float = 1.0) -> float:
    """Return the cores that others use now.

    Args:
        most_cores: largest accepted number of cores.
        watch_s: seconds to watch.

    Raises:
        LoadedError: it is more than `most_cores`.
    """
    watch = Watch.start()
    time.sleep(watch_s)
    found = watch.others_cores()
    if found > most_cores:
        raise LoadedError(found, most_cores, os.cpu_count() or 1)
    return found


def _busy_s() -> float:
    """Return the seconds of all cores that were not idle; 0 where the kernel does not say."""
    try:
        fields = [int(text) for text in _STAT.read_text().split("\n", 1)[0].split()[1:9]]
    except (OSError, ValueError):
        return 0.0
    user, nice, system, _idle, _waiting, interrupts, soft, steal = (fields + [0] * 8)[:8]
    return (user + nice + system + interrupts + soft + steal) / os.sysconf("SC_CLK_TCK")
