"""The simulation gives what queueing theory knows, and takes turns as the site does."""

import math
from itertools import pairwise

import numpy as np
import pytest

from benchmarks.queueing import Arrival, Stream, answered, waits_s, working_day


def test_many_places_with_even_pieces_wait_as_theory_says() -> None:
    """M/D/1: the mean wait is utilisation x service / 2 (1 - utilisation); M/M/c of slots by Erlang's C."""
    found = answered({"a": Stream(50, 0.01), "b": Stream(30, 0.01)}, 1, requests=200_000)
    assert found.busy == pytest.approx(0.8)
    assert answered({"a": Stream(80, 0.01)}, 4).high_s["a"] == pytest.approx(0.01, rel=0.05), "nobody waits there"
    random = np.random.default_rng(1)
    slots, load, count = 4, 3.2, 40_000
    comes, takes = np.cumsum(random.exponential(1.0, count)), random.exponential(load, count)
    arrivals = [
        Arrival(float(at), int(random.integers(20)), float(took)) for at, took in zip(comes, takes, strict=True)
    ]
    terms = [load**k / math.factorial(k) for k in range(slots)]
    last = load**slots / math.factorial(slots) * slots / (slots - load)
    erlang_s = last / (sum(terms) + last) * load / (slots - load)
    assert waits_s(arrivals, slots)[0].mean() == pytest.approx(erlang_s, rel=0.15), (
        "whose turn it is leaves the mean alone"
    )


def test_a_hundred_runs_of_one_delay_anothers_by_one_run() -> None:
    arrivals = [*(Arrival(0.0, 1, 10.0) for _ in range(100)), Arrival(1.0, 2, 10.0)]
    waits, ended_s = waits_s(arrivals, 1, between_runs_s=0.5)
    assert waits[-1] == pytest.approx(9.5)
    assert ended_s == pytest.approx(101 * 10.5)


def test_a_day_has_the_runs_that_were_asked_for() -> None:
    day = working_day(1000, 10_000, 600.0, 0.5, 50)
    assert len(day) == 10_000 and all(a.at_s <= b.at_s for a, b in pairwise(day))
    assert np.mean([run.computes_s for run in day]) == pytest.approx(600, rel=0.15)
    assert len({run.person for run in day}) > 950
