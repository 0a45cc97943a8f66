"""A large site as queues: how long runs wait for workers over a day, and how busy database and web servers are at its peak.

Discrete-event simulation. Runs are taken as `webapp.runs.queue.fair_queue` orders them: whoever has the fewest runs at work, of
these whoever was served longest ago. `bench_queueing.py` measures what it costs to take, to store and to look; this takes its
values.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray


@dataclass(frozen=True)
class Arrival:
    """A run that somebody starts.

    Attributes:
        at_s: when. person: who. computes_s: how long it computes.
    """

    at_s: float
    person: int
    computes_s: float


def waits_s(arrivals: Sequence[Arrival], slots: int, between_runs_s: float = 0.0) -> tuple[FloatArray, float]:
    """Return how long each run waits until a slot takes it, and when the last one has ended.

    Args:
        arrivals: by `at_s`, ascending.
        slots: runs at work at the same time.
        between_runs_s: what a slot needs beside computing, per run: to take it, to start its process, to end it.

    Returns:
        Seconds of shape `n`, and seconds.
    """
    waits, ended_s = np.zeros(len(arrivals)), 0.0
    queues: dict[int, deque[int]] = {}
    at_work: Counter[int] = Counter()
    served_at: dict[int, float] = {}
    busy: list[tuple[float, int]] = []
    at, now = 0, 0.0
    while at < len(arrivals) or queues or busy:
        coming = arrivals[at].at_s if at < len(arrivals) else np.inf
        if busy and busy[0][0] <= coming:
            now, person = heapq.heappop(busy)
            at_work[person] -= 1
            ended_s = now
        elif at < len(arrivals):
            now = coming
            queues.setdefault(arrivals[at].person, deque()).append(at)
            at += 1
        while queues and len(busy) < slots:
            who = min(
                queues, key=lambda each: (at_work[each], served_at.get(each, -1.0), arrivals[queues[each][0]].at_s)
            )
            number = queues[who].popleft()
            if not queues[who]:
                del queues[who]
            waits[number] = now - arrivals[number].at_s
            at_work[who] += 1
            served_at[who] = now
            heapq.heappush(busy, (now + between_runs_s + arrivals[number].computes_s, who))
    return waits, ended_s


def working_day(
    people: int, runs: int, mean_s: float, in_studies: float, study_runs: int, seed: int = 0
) -> list[Arrival]:
    """Return the runs of a day of 24 hours, four fifths of them begun within ten working hours.

    Args:
        people: who start runs.
        runs: about how many.
        mean_s: how long a run computes in the mean; log-normal, most are far shorter.
        in_studies: share of the runs that come many at once.
        study_runs: how many then.
        seed: of the random numbers.
    """
    random = np.random.default_rng(seed)
    sizes = [1] * round(runs * (1 - in_studies)) + [study_runs] * round(runs * in_studies / study_runs)
    spread = 1.5
    found = []
    for size in sizes:
        hours = random.uniform(8, 18) if random.random() < 0.8 else random.uniform(0, 24)
        person = int(random.integers(people))
        computes = random.lognormal(np.log(mean_s) - spread**2 / 2, spread, size)
        found += [Arrival(3600 * hours, person, float(each)) for each in computes]
    return sorted(found, key=lambda each: each.at_s)


@dataclass(frozen=True)
class Stream:
    """Requests of one kind to a server with several places.

    Attributes:
        per_s: how many come a second, at random. takes_s: how long one takes.
    """

    per_s: float
    takes_s: float


@dataclass(frozen=True)
class ServerLoad:
    """How a server keeps up.

    Attributes:
        busy: share of its places that is taken; from 1 on it never catches up. high_s: kind -> the 95th percentile of its answers.
    """

    busy: float
    high_s: Mapping[str, float]


def answered(streams: Mapping[str, Stream], places: int, requests: int = 100_000, seed: int = 0) -> ServerLoad:
    """Play requests of several kinds, first come, first served, on `places` places."""
    random = np.random.default_rng(seed)
    names, rates = list(streams), np.array([stream.per_s for stream in streams.values()])
    coming = np.cumsum(random.exponential(1 / rates.sum(), requests))
    kinds = random.choice(len(names), requests, p=rates / rates.sum())
    takes = np.array([stream.takes_s for stream in streams.values()])[kinds]
    free = [0.0] * places
    answers = np.empty(requests)
    for number, (at, took) in enumerate(zip(coming.tolist(), takes.tolist(), strict=True)):
        ends = max(at, free[0]) + took
        heapq.heapreplace(free, ends)
        answers[number] = ends - at
    high = {
        name: float(np.quantile(answers[kinds == at], 0.95)) for at, name in enumerate(names) if (kinds == at).any()
    }
    return ServerLoad(float(sum(stream.per_s * stream.takes_s for stream in streams.values()) / places), high)
