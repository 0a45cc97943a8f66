"""The report of a run: what searches found, and how far it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Curve, Result, Series
from engines.methods.map_and_conquer.designs import searched_designs
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.quantities import OBJECTIVES, QUANTITIES
from engines.methods.map_and_conquer.search.genome import Genome
from engines.methods.map_and_conquer.search.rating import genome_of, goals, rate
from engines.search.nsga2 import Rating
from engines.search.progress import progress_curve
from engines.search.running_front import RunningFront

SEARCHED = 0.9  # of the progress, also where configurations are trained after it


class Report:
    """A collector of the designs of a search, which yields the steps of the run.

    Attributes:
        front: what is not dominated and meets all limits, by latency, energy and accuracy lost.
    """

    def __init__(self, instance: CutInstance, params: MapAndConquerParams, record: Recorder) -> None:
        self._instance, self._params, self._record = instance, params, record
        self.front = RunningFront(("minimise", "minimise", "minimise"), distinct=True)
        self.front.extend(record.designs.matrix(OBJECTIVES) * (1, 1, -1), record.designs.counted(QUANTITIES))

    def generation(self, number: int, genome: Genome, rated: Rating, scores: Scores) -> None:
        """Count a generation; take in all that is new on the front, and a sample of the others."""
        at, total = self._record.scored(len(rated.genes)), self._params.evaluations
        on_front = self.front.extend(rated.costs[:, : len(OBJECTIVES)], rated.violation <= 0, once=True)
        picked = np.flatnonzero(on_front | self._record.sampled(number, len(at), total))
        population = genome.population(rated.genes[picked])
        self._record.add(searched_designs(self._instance, population, _taken(scores, picked)), at=at[picked])

    def piece(self, genome: Genome, genes: IntArray, scores: Scores) -> None:
        """Take in the configurations of a piece of the search layer by layer that are on the front so far."""
        at = self._record.scored(len(genes))
        room = self._record.slack(columns_of(scores))
        picked = np.flatnonzero(self.front.extend(goals(scores), room >= 0, once=True))
        designs = searched_designs(self._instance, genome.population(genes[picked]), _taken(scores, picked))
        self._record.add(designs, at=at[picked])

    def even_cuts(self) -> None:
        """Take in every mapping at the highest clocks with the same cut in all layers."""
        genome = genome_of(self._instance)
        genes = genome.even(np.array([self._instance.reference]))
        scores = rate(self._instance, genome, genes)[1]
        self.front.extend(goals(scores), self._record.slack(columns_of(scores)) >= 0)
        self._record.add(searched_designs(self._instance, genome.population(genes), scores))

    def step(self, share: float, words: str, state: Mapping[str, Any], results: tuple[Result, ...] = ()) -> Step:
        """Return a step of the search, `share` of it done."""
        text = f"{words}, {counted(len(self.front))} on the front"
        return self._record.step(0.01 + (SEARCHED - 0.01) * share, text, results, state=state)


def performance_curve(evaluations: list[float], best: list[float]) -> Curve:
    """Return the least P so far over evaluations."""
    series = Series("Accuracy-weighted EDP (P)", np.array(best, dtype=np.float64), "J·s")
    return progress_curve("performance", "Least P so far", evaluations, "Designs evaluated", series)


def _taken(scores: Scores, rows: IntArray) -> Scores:
    return Scores(*(getattr(scores, name)[rows] for name in scores.__dataclass_fields__))
