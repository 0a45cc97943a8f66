"""How soon a training ends where a stop is asked for: on the machine as it is, and with every core busy beside it."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Timer
from typing import Any

from benchmarks.report import Figure
from engines.contract.engine import Engine, Problem
from engines.running.context import LocalContext
from engines.running.driver import drive

MOST_S = 2.0


def stop_figures(engine: Engine[Any, Any], problem: Problem[Any], moments_s: Sequence[float]) -> list[Figure]:
    """Return the longest of several stops, asked for so many seconds after the start; without and with load."""
    alone = max(_stop_s(engine, problem, each) for each in moments_s)
    with _busy(os.cpu_count() or 1):
        loaded = max(_stop_s(engine, problem, each) for each in moments_s)
    words = "from asking for a stop to its end, longest of " + ", ".join(f"{each:g}" for each in moments_s) + " s"
    return [Figure(words, alone, "s", MOST_S), Figure(f"{words}, every core busy", loaded, "s", MOST_S)]


def _stop_s(engine: Engine[Any, Any], problem: Problem[Any], after_s: float) -> float:
    asked, at = Event(), list[float]()

    def ask() -> None:
        at.append(time.perf_counter())
        asked.set()

    timer = Timer(after_s, ask)
    timer.start()
    for _ in drive(engine, problem, LocalContext(problem, stop=asked.is_set)):
        pass
    end = time.perf_counter()
    timer.cancel()
    return end - at[0] if at else 0.0  # it was done before


@contextmanager
def _busy(count: int) -> Iterator[None]:
    spawn = multiprocessing.get_context("spawn")
    others = [spawn.Process(target=_spin, daemon=True) for _ in range(count)]
    for each in others:
        each.start()
    try:
        yield
    finally:
        for each in others:
            each.kill()
            each.join()


def _spin() -> None:
    while True:
        pass
