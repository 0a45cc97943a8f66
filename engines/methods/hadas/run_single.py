"""The run for one backbone: its exits and clocks, exactly or as published."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Result
from engines.methods.hadas.baselines import static_designs
from engines.methods.hadas.comparison import TITLES, chain_notes_of, given_networks, proof, published_curve, share_of
from engines.methods.hadas.inner_search import Choices, exact_choices
from engines.methods.hadas.params import Fitness
from engines.methods.hadas.published_search import PublishedInner
from engines.methods.hadas.scoring import designs_of, static_costs
from engines.methods.hadas.setup import Setup
from engines.search.ends.correctness import NestedCorrectness
from engines.workloads.assumed_chain import scoped

_TOLD_AT_LEAST = 10  # steps of the published search


class SingleRun:
    """Searches exits and clocks of the backbone that was given."""

    def __init__(self, setup: Setup, record: Recorder) -> None:
        self._setup, self._record, self._params = setup, record, setup.params
        self._backbone = setup.given
        self._costs = self._backbone.costs(setup.prices)
        self._nested = isinstance(self._backbone.correctness, NestedCorrectness)
        self._static = static_costs(setup, self._backbone)

    def steps(self) -> Iterator[Step]:
        """Yield baselines, the search, and what is known of how good it is."""
        record, exact = self._record, exact_choices(self._backbone.correctness, self._costs)
        front = designs_of(self._setup, self._backbone, exact.chosen, exact.setting)
        unmet = record.unmet(front) if exact.proven else None
        if unmet is not None:
            yield record.infeasible(unmet)
            return
        if record.state is None:
            if self._params.baselines:
                designs = static_designs(self._setup, self._backbone)
                record.add(designs, "baseline", np.zeros(len(designs), np.int64))
            yield record.step(0.01, "Without exits", state={"evaluations": 0})
        if self._params.inner == "exact":
            yield from self._exact(exact, front)
        else:
            yield from self._published(exact)

    def _exact(self, exact: Choices, front: Designs) -> Iterator[Step]:
        record, count = self._record, len(self._setup.settings)
        certain = scoped(proof(exact, count, self._static, nested=self._nested), *given_networks(self._setup))
        known = (certain, *chain_notes_of(self._setup))
        if not record.evaluations:
            at = np.full(len(exact.setting), record.scored(count)[-1])
            record.add(front, at=at)
            words = f"{counted(len(exact.setting))} choices on the front of {counted(count)} clock settings"
            yield record.step(0.5, words, known, state={"evaluations": count})
        results: tuple[Result, ...] = known
        if self._params.compare:
            shares: dict[Fitness, list[float]] = {fitness: [] for fitness in TITLES}
            for fitness, told in shares.items():
                search, scored = self._new_search(fitness), list[int]()
                while not search.done:
                    if record.context.stop_requested():
                        return
                    search.generation()
                    scored.append(search.evaluations)
                    told.append(share_of(search.front.points[:, 1:], exact.points[:, 1:], self._static))
            results = (*results, published_curve(scored, shares))
        yield record.step(1.0, f"{counted(len(exact.setting))} choices on the front", results)

    def _published(self, exact: Choices) -> Iterator[Step]:
        record, search = self._record, self._new_search(self._params.fitness)
        shares, scored = list[float](), list[int]()
        if record.state is not None and "shares" in record.state:
            search.restore(record.state)
            shares, scored = record.state["shares"].tolist(), record.state["scored"].tolist()
        total = self._params.inner_evaluations
        each = max(1, total // self._params.inner_population // _TOLD_AT_LEAST)
        while not search.done:
            for _ in range(each):
                if search.evaluations >= total:
                    break
                self._generation(search)
                scored.append(search.evaluations)
                shares.append(share_of(search.front.points[:, 1:], exact.points[:, 1:], self._static))
            state = {**search.state, "shares": np.array(shares), "scored": np.array(scored, dtype=np.int64)}
            words = f"{counted(search.evaluations)} choices, {counted(len(search.front))} on the front"
            results = (published_curve(scored, {self._params.fitness: shares}),)
            yield record.step(0.01 + 0.98 * search.evaluations / total, words, results, state=state)
            if record.context.stop_requested():
                return
        results = (published_curve(scored, {self._params.fitness: shares}),)
        yield record.step(1.0, f"{counted(len(search.front))} choices on the front", results)

    def _generation(self, search: PublishedInner) -> None:
        record, before = self._record, search.evaluations
        number = before // self._params.inner_population
        genes, points = search.generation()
        at = record.scored(search.evaluations - before)[: len(genes)]
        on_front = (points[:, None] == search.front.points[None]).all(axis=2).any(axis=1)
        told = np.flatnonzero(on_front | record.sampled(number, len(genes), float(self._params.inner_evaluations)))
        chosen, setting = search.operators.chosen(genes[told]), search.operators.setting(genes[told])
        record.add(designs_of(self._setup, self._backbone, chosen, setting), at=at[told])

    def _new_search(self, fitness: Fitness) -> PublishedInner:
        context = self._record.context
        return PublishedInner(
            self._backbone.correctness,
            self._costs,
            self._setup.settings,
            self._params.model_copy(update={"fitness": fitness}),
            lambda generation: context.random("inner", generation),
        )
