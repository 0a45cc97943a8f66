"""Exits and clocks of one backbone: exactly, as published, or by rules that can run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context, Step
from engines.contract.fronts.non_dominated import non_dominated_costs
from engines.contract.integer_format import counted
from engines.methods.hadas.backbone import Backbone
from engines.methods.hadas.comparison import TITLES, lost_table, proof, published_curve, ruled_proof, share_of
from engines.methods.hadas.exit_rule_search import ruled_front
from engines.methods.hadas.inner_search import Choices, exact_choices
from engines.methods.hadas.params import Fitness
from engines.methods.hadas.published_search import PublishedInner
from engines.methods.hadas.scoring import ExitDesign, designs_of, static_costs
from engines.methods.hadas.setup import Setup
from engines.search.ends.confidence import RULES, Rule
from engines.search.ends.correctness import NestedCorrectness
from engines.search.strategies import Search
from engines.workloads.assumed_chain import scoped

IDEAL_LABEL = "Ideal mapping"
_MOST_STEPS = 10  # of the published search


def alone(setup: Setup, backbone: Backbone, settings: Sequence[int], label: str) -> list[ExitDesign]:
    """Return a backbone without exits at clock settings."""
    chosen = np.zeros((len(settings), backbone.ends), bool)
    chosen[:, -1] = True
    return designs_of(setup, backbone, chosen, np.array(settings, dtype=np.int64), label)


def static_designs(setup: Setup, backbone: Backbone) -> list[ExitDesign]:
    """Return a backbone without exits at the highest clocks, and at those settings that no other dominates."""
    costs = np.column_stack([each.static() for each in backbone.costs(setup.prices)])
    best = [row for row in np.flatnonzero(non_dominated_costs(costs)).tolist() if row != setup.reference]
    words = f"{backbone.title} without exits"
    return [
        *alone(setup, backbone, [setup.reference], words),
        *alone(setup, backbone, best, f"{words}, clocks searched"),
    ]


def published_inner(
    setup: Setup, backbone: Backbone, fitness: Fitness, context: Context, *names: str
) -> PublishedInner:
    """Return the published search of a backbone by a fitness, with the random numbers of `names`."""
    params = setup.params.model_copy(update={"fitness": fitness})
    costs, correctness = backbone.costs(setup.prices), backbone.correctness
    return PublishedInner(
        correctness, costs, setup.settings, params, lambda number: context.random("inner", *names, number)
    )


class NetworkSearch:
    """The search over exits of the given backbone."""

    def __init__(self, search: Search[ExitDesign]) -> None:
        self._search, self._record, setup = search, search.record, search.beginning.context
        self._setup: Setup = setup
        self._params, self._backbone = setup.params, setup.given
        self._costs = self._backbone.costs(setup.prices)
        self._static = static_costs(setup, self._backbone)
        self._exact = exact_choices(self._backbone.correctness, self._costs)
        self._exact_designs = self._designs(self._exact)

    def steps(self) -> Iterator[Step]:
        """Run baselines, then the search that the parameters name."""
        if self._params.leaving == "rules":
            yield from self._baselines("Without exits, and the ideal mapping", self._designs(self._exact, IDEAL_LABEL))
            if not self._record.context.stop_requested():
                yield from self._ruled()
            return
        unmet = self._record.unmet(self._search.evaluate(self._exact_designs)) if self._exact.proven else None
        if unmet is not None:
            yield self._record.infeasible(unmet)
            return
        yield from self._baselines("Without exits")
        yield from self._whole() if self._params.inner == "exact" else self._published()

    def _baselines(self, words: str, others: Sequence[ExitDesign] = ()) -> Iterator[Step]:
        if self._record.state is not None:
            return
        if self._params.baselines:
            found = self._search.evaluate([*static_designs(self._setup, self._backbone), *others])
            self._record.add(found, "baseline", np.zeros(len(found), np.int64))
        yield self._record.step(0.01, words, state={"evaluations": 0})

    def _whole(self) -> Iterator[Step]:
        record, exact, count = self._record, self._exact, len(self._setup.settings)
        nested = isinstance(self._backbone.correctness, NestedCorrectness)
        known = scoped(proof(exact, count, self._static, nested=nested), *self._setup.networks)
        words = f"{counted(len(exact.setting))} choices on the front"
        if not record.evaluations:
            at = np.full(len(exact.setting), record.scored(count)[-1])
            record.add(self._search.evaluate(self._exact_designs), at=at)
            yield record.step(
                0.5, f"{words} of {counted(count)} clock settings", (known,), state={"evaluations": count}
            )
        self._search.words, self._search.results = words, (known,)
        if not self._params.compare:
            return
        shares: dict[Fitness, list[float]] = {fitness: [] for fitness in TITLES}
        for fitness, reached in shares.items():
            search, scored = self._published_inner(fitness), list[int]()
            while not search.done:
                if record.context.stop_requested():
                    return
                search.generation()
                scored.append(search.evaluations)
                reached.append(self._share(search))
        self._search.results = (known, published_curve(scored, shares))

    def _published(self) -> Iterator[Step]:
        record, search = self._record, self._published_inner(self._params.fitness)
        shares, scored = list[float](), list[int]()
        if record.state is not None and "shares" in record.state:
            search.restore(record.state)
            shares, scored = record.state["shares"].tolist(), record.state["scored"].tolist()
        total = self._params.inner_evaluations
        each = max(1, total // self._params.inner_population // _MOST_STEPS)
        while not search.done:
            for _ in range(each):
                if not search.done:
                    self._generation(search)
                    scored.append(search.evaluations)
                    shares.append(self._share(search))
            state = {**search.state, "shares": np.array(shares), "scored": np.array(scored, dtype=np.int64)}
            words = f"{counted(search.evaluations)} choices, {counted(len(search.front))} on the front"
            results = (published_curve(scored, {self._params.fitness: shares}),)
            yield record.step(0.01 + 0.98 * search.evaluations / total, words, results, state=state)
            if record.context.stop_requested():
                return
        self._search.words = f"{counted(len(search.front))} choices on the front"
        self._search.results = (published_curve(scored, {self._params.fitness: shares}),)

    def _generation(self, search: PublishedInner) -> None:
        record, before = self._record, search.evaluations
        number = before // self._params.inner_population
        genes, points = search.generation()
        at = record.scored(search.evaluations - before)[: len(genes)]
        on_front = (points[:, None] == search.front.points[None]).all(axis=2).any(axis=1)
        kept = np.flatnonzero(on_front | record.sampled(number, len(genes), float(self._params.inner_evaluations)))
        chosen, setting = search.operators.chosen(genes[kept]), search.operators.setting(genes[kept])
        record.add(self._search.evaluate(designs_of(self._setup, self._backbone, chosen, setting)), at=at[kept])

    def _published_inner(self, fitness: Fitness) -> PublishedInner:
        return published_inner(self._setup, self._backbone, fitness, self._record.context)

    def _share(self, search: PublishedInner) -> float:
        return share_of(search.front.points[:, 1:], self._exact.points[:, 1:], self._static)

    def _ruled(self) -> Iterator[Step]:
        """Look at every set of exits under every rule."""
        record, setup, backbone = self._record, self._setup, self._backbone
        assert backbone.ruled is not None  # the setup refuses rules without measured exits
        found = ruled_front(backbone.ruled, self._costs)
        chosen = designs_of(setup, backbone, found.ruled.chosen, found.setting, ruled=found.ruled)
        front = self._search.evaluate(chosen)
        unmet = record.unmet(front)
        if unmet is not None:
            yield record.infeasible(unmet)
            return
        record.add(front, at=np.full(len(front), record.scored(len(setup.settings))[-1]))
        fronts: dict[Rule | Literal["ideal"], FloatArray] = {"ideal": self._exact.points}
        fronts |= {rule: ruled_front(backbone.ruled, self._costs, (rule,)).points for rule in RULES}
        own_end = 100 * float(backbone.correctness.accuracy[-1])
        certain = scoped(ruled_proof(found, len(setup.settings)), *setup.networks)
        self._search.words = f"{counted(len(front))} choices of exits, rule and clocks on the front"
        self._search.results = (certain, lost_table(fronts, own_end))

    def _designs(self, found: Choices, label: str = "") -> list[ExitDesign]:
        return designs_of(self._setup, self._backbone, found.chosen, found.setting, label)
