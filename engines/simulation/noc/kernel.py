"""The compiled simulation loop: many cycles per call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.simulation.noc.columns import (
    AT_CLOCK,
    AT_SOURCES,
    CHAINS,
    DRAIN_TIME,
    DRAINING,
    NOW,
    OPEN,
    PHASE,
    S_TIME,
    TERMINALS,
    W_SOURCE,
)
from engines.simulation.noc.compiler import inner, outer, stamp, start_of
from engines.simulation.noc.mini_chains import rings
from engines.simulation.noc.packets import sources
from engines.simulation.noc.routers import arrivals, credits_home, routers
from engines.simulation.noc.work import work

if TYPE_CHECKING:
    from collections.abc import Callable


@inner
def _is_drained(m):
    """Return whether all measured packets are home, and no source can still make one."""
    clock = m[AT_CLOCK]
    if m[clock + PHASE] != DRAINING or m[clock + OPEN]:
        return False
    for source in range(m[TERMINALS]):  # noqa: SIM110  # numba knows no generators here
        if m[m[AT_SOURCES] + W_SOURCE * source + S_TIME] <= m[clock + DRAIN_TIME]:
            return False
    return True


def _advance_of(known_by: int) -> Callable[..., Any]:
    def advance(memory, cycles):
        """Run so many cycles, fewer where all measured packets are home; the number of cycles run."""
        if cycles < 0:
            return known_by  # what numba keeps is known by this value, too
        m = start_of(memory)
        clock = m[AT_CLOCK]
        for done in range(cycles):
            t = m[clock + NOW]
            if _is_drained(m):
                return done
            credits_home(m, t)
            arrivals(m, t)
            sources(m, t)
            if m[CHAINS]:
                rings(m, t)
            routers(m, t)
            m[clock + NOW] = t + 1
        return cycles

    return advance


def _advance_applications_of(known_by: int) -> Callable[..., Any]:
    def advance_applications(memory, cycles):
        """Run so many cycles with applications on top of the network; the number of cycles run."""
        if cycles < 0:
            return known_by
        m = start_of(memory)
        clock = m[AT_CLOCK]
        for _ in range(cycles):
            t = m[clock + NOW]
            credits_home(m, t)
            arrivals(m, t)
            work(m, t)
            sources(m, t)
            if m[CHAINS]:
                rings(m, t)
            routers(m, t)
            m[clock + NOW] = t + 1
        return cycles

    return advance_applications


# Each is compiled when it is called first.
advance = outer(_advance_of(stamp()))
advance_applications = outer(_advance_applications_of(stamp()))
