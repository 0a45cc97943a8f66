"""The queue before a task at a server, a value for each window of time.

Source: odema-2024 chapter 5, eq. 5.16: the number of tasks ahead is geometric, truncated at the capacity of the queue.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engines.contract.arrays import FloatArray


class ServerQueue(Protocol):
    """The waiting times of a queue."""

    @property
    def mean_s(self) -> float:
        """Mean time before the server starts."""
        ...

    def delay_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return the time before the server starts, of windows of that shape, as in `episodes x windows`, all independent."""
        ...


@dataclass(frozen=True)
class FixedQueue:
    """The same delay in every window."""

    wait_s: float

    def __post_init__(self) -> None:
        if not 0 <= self.wait_s < math.inf:
            raise ValueError(f"wait_s must be from 0 on and finite. Got {self.wait_s!r} instead.")

    @property
    def mean_s(self) -> float:  # noqa: D102
        return self.wait_s

    def delay_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        return np.full(shape, self.wait_s)


@dataclass(frozen=True)
class GeometricQueue:
    """P(c tasks ahead) = (1 - rho) rho^c / (1 - rho^(C + 1)) for c from 0 to C (odema-2024 eq. 5.16).

    Attributes:
        load: rho, from 0 to below 1.
        capacity: C, the most tasks ahead; None: not truncated.
        s_per_task: time of the server per task.
    """

    load: float
    capacity: int | None
    s_per_task: float

    def __post_init__(self) -> None:
        if not 0 <= self.load < 1:
            raise ValueError(f"load must be from 0 to below 1. Got {self.load!r} instead.")
        if self.capacity is not None and self.capacity < 0:
            raise ValueError(f"capacity must be from 0 on. Got {self.capacity!r} instead.")
        if not 0 <= self.s_per_task < math.inf:
            raise ValueError(f"s_per_task must be from 0 on and finite. Got {self.s_per_task!r} instead.")

    @property
    def mean_s(self) -> float:  # noqa: D102
        beyond = self._beyond
        whole = self.load / (1 - self.load)
        cut = 0.0 if self.capacity is None else (self.capacity + 1) * beyond / (1 - beyond)
        return self.s_per_task * (whole - cut)

    def delay_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        if not self.load:
            return np.zeros(shape)
        # The distribution function is (1 - rho^(c + 1)) / (1 - rho^(C + 1)); the least c that reaches a uniform number is drawn.
        tail = np.log1p(-random.random(shape) * (1 - self._beyond)) / math.log(self.load)
        most = np.inf if self.capacity is None else self.capacity  # rounding alone could pass it
        return np.minimum(np.floor(tail), most) * self.s_per_task

    @property
    def _beyond(self) -> float:
        """Share of the geometric distribution that is cut off."""
        return 0.0 if self.capacity is None else self.load ** (self.capacity + 1)


@dataclass(frozen=True)
class DelayedQueue:
    """A queue behind a network that delays every task by the same time.

    Attributes:
        queue: queue of the server.
        network_s: round trip of the network, from 0 on.
    """

    queue: ServerQueue
    network_s: float

    @property
    def mean_s(self) -> float:  # noqa: D102
        return self.queue.mean_s + self.network_s

    def delay_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        return self.queue.delay_s(random, shape) + self.network_s
