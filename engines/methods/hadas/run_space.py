"""The run over the space of backbones: the outer search (odema-2024 section 2.3.2, OOE), exits and clocks of those it keeps.

A generation is scored without exits at the highest clocks; the best 15 % by non-dominated sorting, then crowding, get exits and
clocks. These are ranked again by their best designs over error, mean latency and mean energy, and half of them have children. Where
machines measured designs of the run, that latency is corrected by what they did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import moocore
import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.limits import allowed_by, unmet
from engines.contract.results import Result
from engines.methods.hadas.backbone import Backbone
from engines.methods.hadas.comparison import TITLES, baseline_table, inner_table
from engines.methods.hadas.inner_search import MUTATION, Choices, exact_choices
from engines.methods.hadas.params import Fitness
from engines.methods.hadas.published_search import PublishedInner
from engines.methods.hadas.quantities import LIMITS, QUANTITIES
from engines.methods.hadas.scoring import designs_of, static_costs
from engines.methods.hadas.setup import Setup
from engines.methods.hadas.space import BackboneOperators
from engines.search.generations import Generations
from engines.search.nsga2 import best_first, crowding

_SELECTED, _HAVE_CHILDREN, _CROSSOVER = 0.15, 0.5, 0.8
_COLUMNS = ("accuracy_percent", "latency_s", "energy_j")
_COMPARED = 3
_MEASURED_TOGETHER = 10


class SpaceRun:
    """One run. Its evaluations are backbones; what the inner searches score is not counted."""

    def __init__(self, setup: Setup, record: Recorder) -> None:
        self._setup, self._record, self._params = setup, record, setup.params
        self._operators = BackboneOperators(setup.space.counts, MUTATION, _CROSSOVER)
        self._search: Generations[IntArray] = Generations(
            self._operators,
            self._params.population,
            self._params.evaluations,
            lambda number: record.context.random("generation", number),
        )
        if record.state is not None:
            self._restore(record.state)

    def steps(self) -> Iterator[Step]:
        """Yield baselines, generations, comparisons."""
        record = self._record
        if record.state is None:
            passed = dict(zip(LIMITS, self._setup.stem, strict=True))
            for limit, most in allowed_by(LIMITS, self._params).items():
                if passed[limit] > most:
                    yield record.infeasible(unmet(limit, passed[limit], most, reached=False))
                    return
            if self._params.baselines:
                self._add_baselines()
            yield self._step(0.01, self._setup.space.baselines_title)
        for genes in self._search.asked(record.context.stop_requested):
            yield from self._generation(genes)
        if self._search.done:
            yield record.step(1.0, self._words(), self._results())

    def _add_baselines(self) -> None:
        for name, subnet in self._setup.space.baselines.items():
            backbone = self._setup.backbone(subnet, name)
            alone = np.zeros((1, backbone.ends), bool)
            alone[:, -1] = True
            static = designs_of(
                self._setup, backbone, alone, np.array([self._setup.reference]), [f"{name} without exits"]
            )
            found = self._inner(backbone, name)
            both = Designs.concatenate([static, self._designs(backbone, found, name)])
            self._record.add(both, "baseline", np.zeros(len(both), np.int64))

    # -- generations --------------------------------------------------------------------------------------------------

    def _generation(self, genes: IntArray) -> Iterator[Step]:
        """Score new backbones; nothing counts before all of it is done, so that a stop loses one generation at most."""
        record, params = self._record, self._params
        backbones, static = list[Backbone](), np.empty((len(genes), 3))
        for row, gene in enumerate(genes):
            if record.context.stop_requested():
                return
            if self._setup.weights is not None and row and row % _MEASURED_TOGETHER == 0:
                words = f"{self._words()}; {counted(row)} of {counted(len(genes))} of this generation measured"
                yield record.step(0.01 + 0.97 * record.evaluations / params.evaluations, words)
            backbones.append(self._setup.backbone(self._setup.space.decode(gene)))
            error = 1 - backbones[row].correctness.accuracy[-1]
            static[row] = (error, *static_costs(self._setup, backbones[row]))
        order = best_first(static, moocore.pareto_rank(static))
        selected = order[: max(2, round(_SELECTED * params.population))]
        found = list[Choices]()
        for row in selected.tolist():
            if record.context.stop_requested():
                return
            found.append(self._inner(backbones[row], str(genes[row].tolist())))
            done = (len(found) / len(selected) * self._search.wanted + record.evaluations) / params.evaluations
            words = f"Exits and clocks of {len(found)} of {len(selected)} backbones of this generation"
            if len(found) < len(selected):
                yield record.step(0.01 + 0.97 * done, words)
        self._take_in(genes, [backbones[row] for row in selected.tolist()], selected, found)
        yield self._step(0.01 + 0.97 * record.evaluations / params.evaluations, self._words())

    def _take_in(self, genes: IntArray, backbones: list[Backbone], selected: IntArray, found: list[Choices]) -> None:
        at, ranked = self._record.scored(len(genes)), list[Choices]()
        for backbone, row, choices in zip(backbones, selected.tolist(), found, strict=True):
            designs = self._designs(backbone, choices)
            self._record.add(designs, at=np.full(len(designs), at[row]))
            error, _, energy = choices.points.T
            points = np.column_stack([error, self._record.corrected(designs), energy])
            ranked.append(replace(choices, points=points))
        self._operators.seen.update(tuple(row) for row in genes.tolist())
        best = _by_designs(ranked)[: max(1, round(_HAVE_CHILDREN * len(selected)))]
        self._search.tell(genes[selected[best]])

    def _inner(self, backbone: Backbone, *names: str) -> Choices:
        """Return the exits and clocks of a backbone, as the parameters say."""
        costs = backbone.costs(self._setup.prices)
        if self._params.inner == "exact":
            return exact_choices(backbone.correctness, costs)
        return self._published(self._params.fitness, backbone, *names)

    def _published(self, fitness: Fitness, backbone: Backbone, *names: str) -> Choices:
        context = self._record.context
        search = PublishedInner(
            backbone.correctness,
            backbone.costs(self._setup.prices),
            self._setup.settings,
            self._params.model_copy(update={"fitness": fitness}),
            lambda generation: context.random("inner", *names, generation),
        )
        while not search.done:
            search.generation()
        return search.choices()

    def _designs(self, backbone: Backbone, found: Choices, label: str = "") -> Designs:
        designs = designs_of(self._setup, backbone, found.chosen, found.setting)
        return replace(designs, label=[label] * len(designs))

    # -- what a run tells ---------------------------------------------------------------------------------------------

    def _words(self) -> str:
        front = len(self._record.designs.front(QUANTITIES))
        return f"{counted(self._record.evaluations)} backbones, {counted(front)} designs on the front"

    def _results(self) -> tuple[Result, ...]:
        results: list[Result] = []
        designs = self._record.designs
        front = designs.front(QUANTITIES)
        optimised = np.flatnonzero(designs.of_origin("baseline") & (designs.columns["exits"] > 0))
        if len(front) and len(optimised):
            space = self._setup.space
            words = (space.baselines_title, space.baselines_words)
            results.append(baseline_table(_costs(designs, front), _costs(designs, optimised), *words))
        if self._params.compare and self._search.parents is not None:
            backbones = [
                self._setup.backbone(self._setup.space.decode(row)) for row in self._search.parents[:_COMPARED]
            ]
            exact = [exact_choices(each.correctness, each.costs(self._setup.prices)) for each in backbones]
            names = [str(row.tolist()) for row in self._search.parents]
            published = {
                fitness: [self._published(fitness, each, name) for each, name in zip(backbones, names, strict=False)]
                for fitness in TITLES
            }
            static = [static_costs(self._setup, each) for each in backbones]
            results.append(inner_table([each.title for each in backbones], exact, published, static))
        return tuple(results)

    # -- checkpoints --------------------------------------------------------------------------------------------------

    def _step(self, fraction: float, words: str) -> Step:
        state: dict[str, Any] = {
            "generation": self._search.generation,
            "exhausted": self._search.exhausted,
            "seen": np.array(sorted(self._operators.seen), dtype=np.int16),
        }
        if self._search.parents is not None:
            state["parents"] = self._search.parents.astype(np.int16)
        return self._record.step(fraction, words, state=state)

    def _restore(self, state: Mapping[str, Any]) -> None:
        self._operators.seen = {tuple(row) for row in state["seen"].tolist()}
        parents = state["parents"].astype(np.int64) if "parents" in state else None
        self._search.continue_from(
            int(state["generation"]), self._record.evaluations, parents, exhausted=bool(state["exhausted"])
        )


def _by_designs(found: list[Choices]) -> IntArray:
    """Return the backbones by the best rank of any of their designs, then by how far these stand apart; best first."""
    owners = np.concatenate([np.full(len(each.setting), number) for number, each in enumerate(found)])
    points = np.concatenate([each.points for each in found])
    if not len(points):
        return np.arange(len(found))
    own = np.asarray(moocore.pareto_rank(points), dtype=np.int64)
    rank, far = np.full(len(found), own.max() + 1), np.zeros(len(found))
    np.minimum.at(rank, owners, own)
    at_best = own == rank[owners]
    np.maximum.at(far, owners[at_best], crowding(points, own)[at_best])
    return np.lexsort((-far, rank))


def _costs(designs: Designs, rows: IntArray) -> FloatArray:
    points = designs.matrix(_COLUMNS)[rows]
    return np.column_stack([100 - points[:, 0], points[:, 1], points[:, 2]])
