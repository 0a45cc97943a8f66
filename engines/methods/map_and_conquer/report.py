"""What a run reports: baselines, what searches found, and how far it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.counts import counted
from engines.contract.engine import Recorder, Step
from engines.contract.limits import ROOM
from engines.contract.non_dominated import non_dominated
from engines.contract.quantities import Sense
from engines.contract.results import HYPERVOLUME, Curve, Result, Series
from engines.methods.map_and_conquer.designs import scored_designs, searched_designs, whole_networks
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.quantities import OBJECTIVES, QUANTITIES
from engines.methods.map_and_conquer.search.genome import Genome
from engines.methods.map_and_conquer.search.rating import genome_of, goals, rate
from engines.search.nsga2 import Rated
from hardware.soc.summary import unit_title

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
_MINIMISED: tuple[Sense, ...] = ("minimise",) * 3
SEARCHED = 0.9  # of the progress, also where configurations are trained after it


class Report:
    """Takes in what a search finds, and the steps that tell it.

    Attributes:
        front: latency, energy and accuracy lost of what is not dominated and keeps all limits, shape `k x 3`.
    """

    def __init__(self, instance: CutInstance, params: MapAndConquerParams, record: Recorder) -> None:
        self._instance, self._params, self._record = instance, params, record
        found = record.designs.matrix(OBJECTIVES)[record.designs.counted(QUANTITIES)]
        self.front: FloatArray = np.empty((0, 3))
        self._add(found * (1, 1, -1))

    def baselines(self, results: tuple[Result, ...]) -> Step:
        """The whole network on each unit alone."""
        if self._params.baselines:
            population, units = whole_networks(self._instance)
            designs = scored_designs(self._instance, population, [f"{unit_title(unit)} alone" for unit in units])
            self._record.add(designs, "baseline", np.zeros(len(designs), np.int64))
        return self._record.step(0.01, "Each unit alone", results, state={})

    def generation(self, number: int, genome: Genome, rated: Rated, scores: Scores) -> None:
        """Count a generation; take in all that is new on the front, and a sample of the others."""
        at, total = self._record.scored(len(rated.genes)), self._params.evaluations
        on_front = self._new_on_front(rated.costs, rated.violation)
        picked = np.flatnonzero(on_front | self._record.sampled(number, len(at), total))
        self._add(rated.costs[rated.violation <= 0])
        population = genome.population(rated.genes[picked])
        self._record.add(searched_designs(self._instance, population, _taken(scores, picked)), at=at[picked])

    def piece(self, genome: Genome, genes: IntArray, scores: Scores) -> None:
        """Take in the configurations of a piece of the search layer by layer that are on the front so far."""
        at = self._record.scored(len(genes))
        room = columns_of(scores, self._instance.allowed)[ROOM.name]
        picked = np.flatnonzero(self._new_on_front(goals(scores), -room))
        self._add(goals(scores)[picked])
        designs = searched_designs(self._instance, genome.population(genes[picked]), _taken(scores, picked))
        self._record.add(designs, at=at[picked])

    def even_cuts(self) -> None:
        """Take in every mapping at the highest clocks with the same cut in all layers."""
        genome = genome_of(self._instance)
        genes = genome.even(np.array([self._instance.reference]))
        scores = rate(self._instance, genome, genes)[1]
        self._add(goals(scores)[columns_of(scores, self._instance.allowed)[ROOM.name] >= 0])
        self._record.add(searched_designs(self._instance, genome.population(genes), scores))

    def step(self, share: float, words: str, state: Mapping[str, Any], results: tuple[Result, ...] = ()) -> Step:
        """A step of the search, `share` of it done."""
        text = f"{words}, {counted(len(self.front))} on the front"
        return self._record.step(0.01 + (SEARCHED - 0.01) * share, text, results, state=state)

    def _new_on_front(self, costs: FloatArray, violation: FloatArray) -> npt.NDArray[np.bool_]:
        """Which are on the front and no equal of what is there already; of equal ones the first."""
        before, values = len(self.front), np.where((violation > 0)[:, None], np.nan, costs)
        both = np.concatenate([self.front, values])
        first = np.zeros(len(both), dtype=bool)
        first[np.unique(both, axis=0, return_index=True)[1]] = True
        return np.asarray((non_dominated(both, _MINIMISED) & first)[before:])

    def _add(self, points: FloatArray) -> None:
        both = np.concatenate([self.front, points])
        self.front = np.unique(both[non_dominated(both, _MINIMISED)], axis=0)


def performance_curve(evaluations: list[float], best: list[float]) -> Curve:
    """The least P so far over evaluations."""
    return Curve(
        name="performance",
        title="Least P so far",
        x=np.array(evaluations, dtype=np.float64),
        x_title="Configurations scored",
        x_unit="",
        series=(Series("P", np.array(best, dtype=np.float64), "J·s"),),
        role="progress",
        belongs_to=HYPERVOLUME,
    )


def _taken(scores: Scores, rows: IntArray) -> Scores:
    return Scores(*(getattr(scores, name)[rows] for name in scores.__dataclass_fields__))
