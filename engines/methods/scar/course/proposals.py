"""Complete schedules beyond the greedy one: combinations of what the windows offered.

The published method keeps the best mapping per window. Here every window keeps many (see `schedule_search`), from passes
with each objective, and complete schedules are combined from them. First those that would make up the front if windows
did not depend on each other; then, for a random weight between latency and energy, the best mapping of every window under
that weight, with more or less random noise. Every combination is scored exactly, because where a window starts changes what
the next one costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.decision import PackageSchedule, Window
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.greedy import Trajectory
from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context
from engines.search.dominance import non_dominated_by_group

NOISE_LEVELS = (0.0, 0.03, 0.15, 0.6)
MOST_ON_FRONT = 400
_PROPOSALS_PER_BATCH = 256
_IDLE_BATCHES = 6


@dataclass(frozen=True)
class WindowPool:
    """The candidate mappings of one time window.

    Attributes:
        windows: the mappings, all different.
        latency_s, energy_j: metrics as evaluated by the search, shape `n`.
        needed: bit mask of roots that are only allowed because a model ended there in the window before, shape `n`.
        ends: bit mask of the chiplets where models end, shape `n`.
    """

    windows: tuple[Window, ...]
    latency_s: FloatArray
    energy_j: FloatArray
    needed: IntArray
    ends: IntArray


def build_pools(tables: ScenarioTables, trajectories: Sequence[Trajectory]) -> tuple[WindowPool, ...]:
    """Return the schedules that every time window may use, from all passes, which share their time windows."""
    starts = frozenset(start_chiplets(tables))
    pools = []
    for offered in zip(*(trajectory.windows for trajectory in trajectories), strict=True):
        found = {o.window: (o.latency_s, o.energy_j) for options in offered for o in (options.best, *options.options)}
        windows = tuple(found)
        costs = np.array([found[window] for window in windows])
        needed = [_mask(p.path[0] for p in window if p.path[0] not in starts) for window in windows]
        ends = [_mask(p.path[-1] for p in window) for window in windows]
        pools.append(WindowPool(windows, costs[:, 0], costs[:, 1], np.array(needed), np.array(ends)))
    return tuple(pools)


def _mask(chiplets: Iterator[int]) -> int:
    mask = 0
    for chiplet in chiplets:
        mask |= 1 << chiplet
    return mask


def front_of_independent_windows(pools: Sequence[WindowPool]) -> IntArray:
    """Return the combinations on the front of summed latency and energy, as if windows were independent, shape `n x windows`.

    Only mappings that may start after any window take part. Sums of non-dominated parts are all that can be non-dominated,
    so going window by window is exact; more than `MOST_ON_FRONT` are thinned evenly.
    """
    latency, energy = np.zeros(1), np.zeros(1)
    picks = np.zeros((1, 0), np.int64)
    for pool in pools:
        free = np.flatnonzero(pool.needed == 0)
        row, column = (grid.ravel() for grid in np.meshgrid(np.arange(len(latency)), free, indexing="ij"))
        latency, energy = latency[row] + pool.latency_s[column], energy[row] + pool.energy_j[column]
        keep = non_dominated_by_group(np.zeros(len(row), np.int64), latency, energy)
        if len(keep) > MOST_ON_FRONT:
            keep = keep[np.linspace(0, len(keep) - 1, MOST_ON_FRONT).round().astype(np.int64)]
        latency, energy = latency[keep], energy[keep]
        picks = np.concatenate([picks[row[keep]], column[keep, None]], axis=1)
    return picks


def propose(pools: Sequence[WindowPool], random: np.random.Generator, count: int) -> IntArray:
    """Return `count` combinations as indices into the pools, shape `n x windows`; those that cannot start are left out."""
    weight = random.random(count)[:, None]
    noise = random.choice(np.array(NOISE_LEVELS), count)[:, None]
    scale_s = sum(float(pool.latency_s.min()) for pool in pools)
    scale_j = sum(float(pool.energy_j.min()) for pool in pools)
    before = np.zeros(count, np.int64)
    possible = np.ones(count, bool)
    picks = []
    for pool in pools:
        value = weight * pool.latency_s / scale_s + (1 - weight) * pool.energy_j / scale_j
        value = value * np.exp(noise * random.standard_normal(value.shape))
        value[(pool.needed[None, :] & ~before[:, None]) != 0] = np.inf
        pick = value.argmin(axis=1)
        possible &= np.isfinite(value[np.arange(count), pick])
        before = pool.ends[pick]
        picks.append(pick)
    return np.stack(picks, axis=1)[possible]


def proposed_schedules(pools: Sequence[WindowPool], context: Context) -> Iterator[PackageSchedule]:
    """Yield the different complete schedules, in an order that depends on the seed alone; ends when hardly a new one turns up."""
    seen: set[tuple[int, ...]] = set()

    def new_ones(picks: IntArray) -> Iterator[PackageSchedule]:
        for pick in picks.tolist():
            key = tuple(pick)
            if key not in seen:
                seen.add(key)
                yield PackageSchedule(tuple(pool.windows[i] for pool, i in zip(pools, key, strict=True)))

    yield from new_ones(front_of_independent_windows(pools))
    idle = batch = 0
    while idle < _IDLE_BATCHES:
        known = len(seen)
        yield from new_ones(propose(pools, context.random("combinations", batch), _PROPOSALS_PER_BATCH))
        idle = idle + 1 if len(seen) == known else 0
        batch += 1
