"""The chosen search, step by step: what it finds, how far it came, and what is said at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Problem, Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Curve, Result, Series
from engines.methods.map_and_conquer.decision import Configuration, searched_designs
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.outcome import bounds_note, cost_of_reuse, exactness_note, gap_note
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.quantities import OBJECTIVES, QUANTITIES
from engines.methods.map_and_conquer.search.generations import CutGenerations, genome_of, goals, least_bounds, rate
from engines.methods.map_and_conquer.search.genome import Genome
from engines.methods.map_and_conquer.search.layer_by_layer import LayerByLayer
from engines.methods.map_and_conquer.staged.measuring import Measuring, spread
from engines.search.nsga2 import Rating
from engines.search.progress import progress_curve
from engines.search.running_front import RunningFront
from engines.search.strategies import Search
from engines.workloads.assumed_chain import scoped_to_chain

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


class Run:
    """A search from its start or from where it stopped."""

    def __init__(
        self, problem: Problem[MapAndConquerParams], instance: CutInstance, search: Search[Configuration]
    ) -> None:
        self._problem, self._instance, self._search, self._record = problem, instance, search, search.record
        self._report = Report(instance, problem.params, self._record)

    def steps(self) -> Iterator[Step]:
        """Yield the remaining steps of the run."""
        return self._layers() if self._problem.params.method == "layers" else self._generations()

    def _generations(self) -> Iterator[Step]:
        params, state = self._problem.params, self._record.state or {}
        context = self._record.context
        search = CutGenerations(self._instance, params, context)
        counts: list[float] = list(state.get("counts", []))
        best: list[float] = [float(each) for each in state.get("best", [])]
        if "population" in state:
            parents, _ = search.rate(np.asarray(state["population"], dtype=np.int64))
            search.continue_from(len(counts), self._record.evaluations, parents)
        progress: dict[str, Any] = dict(state)
        for genes in search.asked(context.stop_requested):
            rated, scores = search.rate(genes)
            parents = search.tell(rated)
            self._report.generation(search.generation, search.genome, rated, scores)
            kept = rated.violation <= 0
            least = float(scores.performance_js[kept].min()) if kept.any() else np.nan
            counts.append(float(search.scored))
            best.append(float(np.fmin(least, best[-1])) if best else least)
            progress = {"counts": counts, "best": np.array(best), "population": parents.genes.astype(np.int16)}
            words = f"{counted(search.scored)} configurations"
            curve = performance_curve(counts, best)
            yield self._report.step(search.scored / params.evaluations, words, progress, (curve,))
        if search.done:
            yield from self._end((), progress)

    def _layers(self) -> Iterator[Step]:
        state, instance = self._record.state or {}, self._instance
        search = LayerByLayer(instance, self._problem.params.labels)
        done, looked_at, thinned = (int(state.get(name, 0)) for name in ("done", "looked_at", "thinned"))
        for piece in search.pieces(done):
            self._report.piece(search.genome, piece.genes, rate(instance, search.genome, piece.genes)[1])
            done, looked_at, thinned = done + 1, looked_at + piece.looked_at, thinned + piece.thinned
            words = f"{counted(done)} of {counted(len(search.order))} mappings and clock settings"
            progress = {"done": done, "looked_at": looked_at, "thinned": thinned}
            yield self._report.step(done / len(search.order), words, progress)
            if self._record.context.stop_requested():
                return
        progress = {"done": done, "looked_at": looked_at, "thinned": thinned}
        kept = {name: state[name] for name in ("measured",) if name in state}
        exact = scoped_to_chain(exactness_note(looked_at, thinned), self._instance.workload.network)
        yield from self._end((exact,), {**progress, **kept})

    def _end(self, results: tuple[Result, ...], state: Mapping[str, Any]) -> Iterator[Step]:
        """Yield the trained configurations; tables and notes are left to the last step."""
        if not len(self._report.front):
            self._report.even_cuts()
        designs, instance, search = self._record.designs, self._instance, self._search
        if self._record.unmet() is not None:
            return
        bounds, percent = least_bounds(instance), instance.accuracy.base_percent
        proofs = (bounds_note(bounds, designs), gap_note(bounds, percent, designs))
        told = [*results, cost_of_reuse(designs)]
        told += [scoped_to_chain(each, instance.workload.network) for each in proofs]
        if instance.real is not None:
            rows = self._finalists()
            measuring = Measuring(instance, instance.real, self._problem.params, self._record.context)
            found = np.asarray(state.get("measured", np.empty((0, measuring.width))), dtype=np.float64)
            for one, files in measuring.rest(rows, designs.decisions, len(found)):
                found = np.concatenate([found, one[None]])
                words = f"{len(found)} of {len(rows)} configurations trained and measured"
                share = SEARCHED + (1 - SEARCHED) * len(found) / (len(rows) + 1)
                kept = {**state, "measured": found}
                yield self._record.step(share, words, measuring.results(rows, found), files, state=kept)
            if len(found) < len(rows):
                return
            told += measuring.results(rows, found)
            search.files = (measuring.document(found, self._problem.seed),)
        search.results, search.words = told, f"{counted(len(self._report.front))} configurations on the front"

    def _finalists(self) -> list[int]:
        """Return the designs that are trained: of the front, evenly spread over the assumed accuracy."""
        designs = self._record.designs
        rows = designs.front(QUANTITIES)
        return spread(designs.columns["accuracy_percent"][rows], rows, self._problem.params.finalists)
