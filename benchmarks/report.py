"""How benchmarks say what they measured: one line per figure, with its limit and the ratio of the two."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

_BEGUN = time.monotonic()


@dataclass(frozen=True)
class Figure:
    """One measured value.

    Attributes:
        name: what was measured.
        value: in `unit`.
        unit: "s", "ms", "MB", "designs/s", ...
        limit: what it must stay below (`higher_is_better`: above); None where there is no limit.
        higher_is_better: the sense of the limit.
    """

    name: str
    value: float
    unit: str
    limit: float | None = None
    higher_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """Value over limit: at most 1 is within it, at least 1 with `higher_is_better`."""
        return None if self.limit is None else self.value / self.limit

    @property
    def holds(self) -> bool:
        """Whether the limit is kept, or there is none."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.higher_is_better else self.value <= self.limit

    def line(self) -> str:
        """Return the figure for people."""
        text = f"  {self.name:<62} {self.value:>10.4g} {self.unit}"
        if self.limit is None:
            return text
        sign = ">=" if self.higher_is_better else "<="
        verdict = "" if self.holds else "  LIMIT NOT KEPT"
        return f"{text:<86} limit {sign} {self.limit:g} {self.unit}, ratio {self.ratio:.2f}{verdict}"


def show(figures: list[Figure]) -> int:
    """Print the figures. Returns an exit status: 0 where every limit is kept, else 3."""
    for figure in figures:
        print(figure.line(), flush=True)
    return 0 if all(figure.holds for figure in figures) else 3


def tell(words: str) -> None:
    """Say what a benchmark does now, and how many seconds after its start."""
    print(f"  {time.monotonic() - _BEGUN:4.0f} s: {words}", flush=True)


def load() -> str:
    """Return the load average of the last minute, in words: on a busy machine everything waits."""
    return f"load average {os.getloadavg()[0]:.1f}"


def median_ms(action: Callable[[], object], repeats: int = 11) -> float:
    """Return the median time of `action` in ms, after one call to warm up."""
    action()
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begin)
    return 1000 * median(seconds)


def machine() -> str:
    """Return processor, cores, memory, system and Python, in one line."""
    facts = [processor(), f"{cores()} cores", memory(), f"{platform.system()} {platform.release()}"]
    return ", ".join([*facts, f"Python {platform.python_version()}"])


def processor() -> str:
    """Return the model name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> str:
    """Return the memory of the machine."""
    try:
        first = Path("/proc/meminfo").read_text().splitlines()[0]
    except OSError:
        return "unknown memory"
    return f"{int(first.split()[1]) / 1024**2:.0f} GiB"
