"""The clocks at which a device's default governors settle under a steady load.

Linux' schedutil sets the next clock to 1.25 times the share of the time that a unit is busy, times its present clock
(Documentation/scheduler/schedutil.rst: f = 1.25 f_max u, u counted at the highest clock), rounded up to a step. At rest the
busy share is at most 0.8, or the clock is at its highest. NVIDIA's nvhost_podgov of the GPU scales on load as well; its
constants are not published, so the same rule stands for it. What the rule leaves out makes a governor look better than it is:
the time that a clock needs to rise again after idling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

HEADROOM = 1.25
_MOST_ROUNDS = 200

Clocks = Mapping[str, float]


def governed_clocks(
    steps_hz: Mapping[str, Sequence[float]],
    governed: Sequence[str],
    busy_share: Callable[[Clocks], Mapping[str, float]],
) -> dict[str, float]:
    """Return the clocks at which the governors settle: name -> Hz.

    All governors react at the same time, starting from the highest clocks. If they oscillate, each keeps its highest clock.

    Args:
        steps_hz: name -> available steps in Hz, ascending.
        governed: names with a governor; the others run at their highest step.
        busy_share: clocks -> share of time in which each governed unit is busy, from 0 to 1.
    """
    now = {name: steps[-1] for name, steps in steps_hz.items()}
    seen: list[dict[str, float]] = []
    while now not in seen and len(seen) < _MOST_ROUNDS:
        seen.append(now)
        busy = busy_share(now)
        now = now | {name: _next(steps_hz[name], now[name], busy[name]) for name in governed if name in steps_hz}
    swing = seen[seen.index(now) :] if now in seen else [now]
    return {name: max(clocks[name] for clocks in swing) for name in now}


def _next(steps: Sequence[float], clock: float, busy: float) -> float:
    # At 100 % a governor sees a full queue, not how much faster would do: it goes to the highest step.
    wanted = HEADROOM * busy * clock if busy < 1 else steps[-1]
    return next((step for step in steps if step >= wanted), steps[-1])
