"""The outer search over backbones (odema-2024 section 2.3.2, OOE), with exits and clocks of those that it keeps.

A generation is evaluated without exits at the highest clocks; the best 15 % by non-dominated sorting, then crowding, get exits and
clocks. These are ranked again by their best designs over error, mean latency and mean energy, and half of them have children. Where
machines measured designs of the run, that latency is corrected by what they did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import moocore
import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.contract.integer_format import counted, many
from engines.contract.results import Result
from engines.methods.hadas.backbone import Backbone
from engines.methods.hadas.comparison import TITLES, baseline_table, inner_table
from engines.methods.hadas.inner_search import MUTATION, Choices, exact_choices
from engines.methods.hadas.network_search import alone, published_inner
from engines.methods.hadas.params import Fitness
from engines.methods.hadas.quantities import QUANTITIES
from engines.methods.hadas.scoring import ExitDesign, designs_of, static_costs
from engines.methods.hadas.setup import Setup
from engines.methods.hadas.space import BackboneOperators
from engines.search.generations import Generations
from engines.search.nsga2 import best_first, crowding
from engines.search.strategies import Search

_SELECTED, _HAVE_CHILDREN, _CROSSOVER = 0.15, 0.5, 0.8
_COLUMNS = ("accuracy_percent", "latency_s", "energy_j")
_COMPARED = 3
_MEASURED_TOGETHER = 10


class OuterSearch:
    """One search. Its evaluations are backbones; those of the inner searches are not counted."""

    def __init__(self, search: Search[ExitDesign]) -> None:
        self._search, self._record, setup = search, search.record, search.beginning.context
        self._setup: Setup = setup
        self._params, context, state = setup.params, search.record.context, search.record.state
        self._operators = BackboneOperators(setup.space.counts, MUTATION, _CROSSOVER)
        self._generations: Generations[IntArray] = Generations(
            self._operators,
            self._params.population,
            self._params.evaluations,
            lambda number: context.random("generation", number),
        )
        if state is not None:
            self._operators.seen = {tuple(row) for row in state["seen"].tolist()}
            parents = state["parents"].astype(np.int64) if "parents" in state else None
            number, exhausted = int(state["generation"]), bool(state["exhausted"])
            self._generations.continue_from(number, search.record.evaluations, parents, exhausted=exhausted)

    def steps(self) -> Iterator[Step]:
        """Run baselines, generations and comparisons."""
        if self._record.state is None:
            if self._params.baselines:
                self._add_baselines()
            yield self._step(0.01, self._setup.space.baselines_title)
        for genes in self._generations.asked(self._record.context.stop_requested):
            yield from self._generation(genes)
        if self._generations.done:
            self._search.words, self._search.results = self._words(), self._results()

    def _add_baselines(self) -> None:
        for name, subnet in self._setup.space.baselines.items():
            backbone = self._setup.backbone(subnet, name)
            static = alone(self._setup, backbone, [self._setup.reference], f"{name} without exits")
            found = self._inner(backbone, name)
            optimised = designs_of(self._setup, backbone, found.chosen, found.setting, name)
            both = self._search.evaluate([*static, *optimised])
            self._record.add(both, "baseline", np.zeros(len(both), np.int64))
            if self._params.baselines_found:
                own = [replace(design, label="") for design in (*static, *optimised)]
                self._record.add(self._search.evaluate(own), at=np.zeros(len(own), np.int64))

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
            done = (len(found) / len(selected) * self._generations.wanted + record.evaluations) / params.evaluations
            words = f"Exits and clocks of {len(found)} of {len(selected)} backbones of this generation"
            if len(found) < len(selected):
                yield record.step(0.01 + 0.97 * done, words)
        self._take_in(genes, [backbones[row] for row in selected.tolist()], selected, found)
        yield self._step(0.01 + 0.97 * record.evaluations / params.evaluations, self._words())

    def _take_in(self, genes: IntArray, backbones: list[Backbone], selected: IntArray, found: list[Choices]) -> None:
        at, ranked = self._record.scored(len(genes)), list[Choices]()
        for backbone, row, choices in zip(backbones, selected.tolist(), found, strict=True):
            designs = self._search.evaluate(designs_of(self._setup, backbone, choices.chosen, choices.setting))
            self._record.add(designs, at=np.full(len(designs), at[row]))
            error, _, energy = choices.points.T
            points = np.column_stack([error, self._record.corrected(designs), energy])
            ranked.append(replace(choices, points=points))
        self._operators.seen.update(tuple(row) for row in genes.tolist())
        best = _by_designs(ranked)[: max(1, round(_HAVE_CHILDREN * len(selected)))]
        self._generations.tell(genes[selected[best]])

    def _inner(self, backbone: Backbone, *names: str) -> Choices:
        """Return the exits and clocks of a backbone, as the parameters say."""
        costs = backbone.costs(self._setup.prices)
        if self._params.inner == "exact":
            return exact_choices(backbone.correctness, costs)
        return self._published(self._params.fitness, backbone, *names)

    def _published(self, fitness: Fitness, backbone: Backbone, *names: str) -> Choices:
        search = published_inner(self._setup, backbone, fitness, self._record.context, *names)
        while not search.done:
            search.generation()
        return search.choices()

    def _words(self) -> str:
        front = len(self._record.designs.front(QUANTITIES))
        return f"{counted(self._record.evaluations)} backbones, {many(front, 'design')} on the front"

    def _results(self) -> tuple[Result, ...]:
        results: list[Result] = []
        designs = self._record.designs
        front = designs.front(QUANTITIES)
        optimised = np.flatnonzero(designs.of_origin("baseline") & (designs.columns["exits"] > 0))
        if len(front) and len(optimised):
            space = self._setup.space
            words = (space.baselines_title, space.baselines_words)
            results.append(baseline_table(_costs(designs, front), _costs(designs, optimised), *words))
        if self._params.compare and self._generations.parents is not None:
            backbones = [
                self._setup.backbone(self._setup.space.decode(row)) for row in self._generations.parents[:_COMPARED]
            ]
            exact = [exact_choices(each.correctness, each.costs(self._setup.prices)) for each in backbones]
            names = [str(row.tolist()) for row in self._generations.parents]
            published = {
                fitness: [self._published(fitness, each, name) for each, name in zip(backbones, names, strict=False)]
                for fitness in TITLES
            }
            static = [static_costs(self._setup, each) for each in backbones]
            results.append(inner_table([each.title for each in backbones], exact, published, static))
        return tuple(results)

    def _step(self, fraction: float, words: str) -> Step:
        search = self._generations
        state: dict[str, Any] = {
            "generation": search.generation,
            "exhausted": search.exhausted,
            "seen": np.array(sorted(self._operators.seen), dtype=np.int16),
        }
        if search.parents is not None:
            state["parents"] = search.parents.astype(np.int16)
        return self._record.step(fraction, words, state=state)


def _by_designs(found: list[Choices]) -> IntArray:
    """Return backbones by the best rank of any of their designs, then by how far these stand apart; best first."""
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
