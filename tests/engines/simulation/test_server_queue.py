"""Queues against the distribution of eq. 5.16."""

import math

import numpy as np
import pytest

from engines.simulation.server_queue import DelayedQueue, FixedQueue, GeometricQueue


def shares(load: float, capacity: int) -> np.ndarray:
    """P(c) for c from 0 to the capacity."""
    tasks = np.arange(capacity + 1)
    return (1 - load) * load**tasks / (1 - load ** (capacity + 1))


def test_a_fixed_queue_is_the_same_in_every_window() -> None:
    queue = FixedQueue(0.02)
    assert queue.mean_s == 0.02
    assert (queue.delay_s(np.random.default_rng(0), (3, 4)) == np.full((3, 4), 0.02)).all()


@pytest.mark.parametrize(("load", "capacity"), [(0.5, 3), (0.97, 40), (0.97, 4000), (0.0, 5), (0.9, 0)])
def test_a_truncated_queue_follows_its_equation(load: float, capacity: int) -> None:
    queue, wanted = GeometricQueue(load, capacity, 0.75e-3), shares(load, capacity)
    assert wanted.sum() == pytest.approx(1)
    assert queue.mean_s == pytest.approx(0.75e-3 * float((wanted * np.arange(capacity + 1)).sum()), abs=1e-15)
    drawn = queue.delay_s(np.random.default_rng(2), (400, 500)) / 0.75e-3
    tasks = np.rint(drawn).astype(int)
    assert np.abs(drawn - tasks).max() < 1e-9 and tasks.min() >= 0 and tasks.max() <= capacity
    found = np.bincount(tasks.ravel(), minlength=capacity + 1) / tasks.size
    assert np.abs(np.cumsum(found) - np.cumsum(wanted)).max() < 5e-3


def test_a_queue_without_a_capacity_is_the_limit_of_large_ones() -> None:
    endless = GeometricQueue(0.9, None, 1e-3)
    assert endless.mean_s == pytest.approx(9e-3) == pytest.approx(GeometricQueue(0.9, 4000, 1e-3).mean_s)
    drawn = endless.delay_s(np.random.default_rng(3), (200_000,))
    assert drawn.mean() == pytest.approx(9e-3, rel=2e-2)


@pytest.mark.parametrize(
    ("load", "capacity", "seconds", "words"),
    [(1.0, 4, 1.0, "load"), (-0.1, 4, 1.0, "load"), (math.nan, 4, 1.0, "load"), (0.5, -1, 1.0, "capacity"), (0.5, 1, -1.0, "task")],
)  # fmt: skip
def test_what_is_no_queue_is_refused(load: float, capacity: int, seconds: float, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GeometricQueue(load, capacity, seconds)
    with pytest.raises(ValueError, match="wait_s"):
        FixedQueue(-1e-3)


def test_a_network_delays_every_task_by_its_round_trip() -> None:
    queue, shape = GeometricQueue(0.9, 100, 1e-3), (3, 50)
    behind = DelayedQueue(queue, 0.01)
    assert behind.mean_s == pytest.approx(queue.mean_s + 0.01)
    drawn = queue.delay_s(np.random.default_rng(1), shape)
    assert np.array_equal(behind.delay_s(np.random.default_rng(1), shape), drawn + 0.01)
    assert np.array_equal(DelayedQueue(queue, 0.0).delay_s(np.random.default_rng(1), shape), drawn)
