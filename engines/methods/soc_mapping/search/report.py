"""The report of a run: which mappings become designs, and the front so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted, many
from engines.contract.quantities import Sense, by_name
from engines.mapping.designs.scoring import mapped_designs
from engines.mapping.problem.instance import Instance
from engines.mapping.search.exact import Progress
from engines.methods.soc_mapping.params import SocMappingParams
from engines.methods.soc_mapping.quantities import QUANTITIES
from engines.search.nsga2 import Rating
from engines.search.running_front import RunningFront


class Report:
    """A collector of the designs of a search, which yields the steps of the run.

    Attributes:
        metric: the column by which mappings are called best, the lower the better.
        front: the non-dominated mappings so far that keep all limits, by latency, energy and, where it is an objective, power.
    """

    def __init__(self, instance: Instance, params: SocMappingParams, record: Recorder, metric: str) -> None:
        self._instance, self._params, self._record = instance, params, record
        self.metric = metric
        self._columns = ("latency_s", "energy_j", "power_w")[: 3 if instance.by_power else 2]
        senses: list[Sense] = ["minimise"] * len(self._columns)
        self.front = RunningFront(senses, distinct=True)
        self.front.extend(record.designs.matrix(self._columns), record.designs.counted(QUANTITIES))

    @property
    def points(self) -> FloatArray:
        """Latency and energy of the front by rising latency, shape `k x 2`."""
        points = self.front.points[:, :2]
        return points[np.lexsort(points.T[::-1])]

    @property
    def best(self) -> Mapping[str, Any] | None:
        """Decision of the first mapping of least `metric` so far within the limits; None before the first."""
        designs = self._record.designs
        best = designs.best(by_name(QUANTITIES)[self.metric], QUANTITIES)
        return None if best is None else designs.decisions[best]

    def exact(self, progress: Progress) -> Step:
        """Return the mappings that a piece of the exact search found."""
        designs = mapped_designs(self._instance, progress.front.units, progress.front.setting)
        self._record.add(designs)
        self.front.extend(designs.matrix(self._columns))
        left = len(progress.rest)
        words = (
            f"{many(len(self.front), 'mapping')} on the front, {counted(progress.searched)} clock settings searched, "
        )
        words += f"{counted(left)} left"
        state = {
            "rest": progress.rest, "searched": progress.searched, "labels": progress.labels, "error_s": progress.error_s,
        }  # fmt: skip
        return self._record.step(0.98 * progress.searched / (progress.searched + left), words, state=state)

    def take(self, number: int, rated: Rating) -> None:
        """Count a generation, and take in all its mappings that are new on the front, and a sample of the others."""
        at, total = self._record.scored(len(rated.genes)), self._params.evaluations
        on_front = self.front.extend(rated.costs, rated.violation <= 0)
        picked = np.flatnonzero(on_front | self._record.sampled(number, len(at), total))
        genes = rated.genes[picked]
        self._record.add(mapped_designs(self._instance, genes[:, :-1], genes[:, -1]), at=at[picked])

    def generation(self, state: Mapping[str, Any]) -> Step:
        """Return the step of a generation."""
        done = self._record.evaluations
        words = f"{many(done, 'mapping')}, {counted(len(self.front))} on the front"
        return self._record.step(0.98 * done / self._params.evaluations, words, state=state)
