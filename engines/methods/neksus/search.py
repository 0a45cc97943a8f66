"""The search: all packages, those that cannot reach the front by their bounds alone; or NSGA-II over rows of genes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import Recorder, Step
from engines.contract.limits import ROOM
from engines.contract.non_dominated import to_costs
from engines.contract.quantities import Sense, objectives_of
from engines.methods.neksus.bounding import bounds_of
from engines.methods.neksus.design import PackageDesign, encoded
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.quantities import CHOICE, QUANTITIES
from engines.methods.neksus.scoring import columns_of
from engines.search.generations import Generations
from engines.search.nsga2 import Rated, best_first, ranks
from engines.search.running_front import RunningFront

BATCH, CHUNK = 128, 32
_BROKEN = np.inf


def is_exhaustive(instance: NeksusInstance) -> bool:
    """Whether all packages are looked at."""
    params = instance.params
    return params.method == "exhaustive" or (params.method == "auto" and instance.space.count <= params.most_packages)


def every_package(instance: NeksusInstance) -> list[PackageDesign]:
    """Those that the hub's ports hold, each once, by number."""
    space = instance.space
    rows = space.genes_of(np.arange(space.count)).tolist()
    found = (space.design(genes) for genes in rows)
    return list(dict.fromkeys(design for design in found if design is not None))


def priced(instance: NeksusInstance, record: Recorder, designs: Sequence[PackageDesign]) -> Designs:
    """Packages as designs, on all processes."""
    chunks = [designs[begin : begin + CHUNK] for begin in range(0, len(designs), CHUNK)]
    parts = record.context.executor.map(columns_of, instance, chunks)
    names = [quantity.name for quantity in QUANTITIES]
    columns = {name: np.concatenate([np.empty(0), *(part[name] for part in parts)]) for name in names}
    return Designs(columns, [encoded(each) for each in designs])


def search_all(instance: NeksusInstance, record: Recorder) -> Iterator[Step]:
    """All packages, the most promising first; those whose bounds are worse than something found are left out."""
    designs = every_package(instance)
    costs = _costs(instance, bounds_of(instance, designs))
    order = _promising_first(costs)
    front = RunningFront(["minimise"] * costs.shape[1])
    done = pruned = 0
    if record.state is not None:
        done, pruned = int(record.state["done"]), int(record.state["pruned"])
        _extend(instance, front, record.designs.take(np.flatnonzero(record.designs.of_origin("search"))))
    while done < len(order) and not record.context.stop_requested():
        rows = order[done : done + BATCH]
        kept = rows[~_beaten(costs[rows], front.points)]
        new = priced(instance, record, [designs[row] for row in kept])
        record.add(new)
        _extend(instance, front, new)
        done, pruned = done + len(rows), pruned + len(rows) - len(kept)
        message = f"{counted(done)} of {counted(len(order))} packages, {counted(pruned)} ruled out by bounds"
        yield record.step(0.02 + 0.96 * done / len(order), message, state={"done": done, "pruned": pruned})


def search_some(instance: NeksusInstance, record: Recorder) -> Iterator[Step]:
    """NSGA-II; packages that were priced before are not priced again."""
    params, context = instance.params, record.context
    operators = _Operators(instance.space.alleles, params.population)
    search: Generations[Rated] = Generations(
        operators, params.population, params.evaluations, lambda number: context.random("generation", number)
    )
    if record.state is not None:
        _continue(search, operators, record)
    for genes in search.asked(context.stop_requested):
        found = [(row, instance.space.design(row)) for row in genes.tolist()]
        designs = [design for _, design in found if design is not None]
        new = priced(instance, record, designs)
        record.add(new)
        costs = np.full((len(genes), len(_objectives(instance))), _BROKEN)
        fits = np.array([design is not None for _, design in found], dtype=bool)
        costs[fits] = _costs(instance, new.columns)
        violation = np.where(fits, 0.0, 1e9)
        violation[fits] = np.maximum(0.0, -new.columns[ROOM.name])
        search.tell(Rated(genes, np.where(np.isfinite(costs), costs, 1e30), violation))
        operators.seen.update(map(tuple, genes.tolist()))
        message = f"{counted(search.scored)} of {counted(params.evaluations)} packages"
        yield record.step(0.02 + 0.96 * search.scored / params.evaluations, message, state=_state(search, operators))


class _Operators:
    """Uniform crossover and reset of genes over rows that were not asked before."""

    def __init__(self, alleles: IntArray, population: int) -> None:
        self.seen: set[tuple[int, ...]] = set()
        self._alleles, self._population = alleles, population

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Rows at random, each once."""
        return self._new(random.integers(0, self._alleles, (4 * count, len(self._alleles))), count)

    def children(self, parents: Rated, random: np.random.Generator, count: int) -> IntArray:
        """Of two parents each, every gene from one of them, then some anew."""
        tries = 4 * count
        place = best_first(parents.costs, ranks(parents)).argsort(kind="stable")
        pairs = random.integers(0, len(parents.genes), (2, 2, tries))
        won = np.where(place[pairs[0]] <= place[pairs[1]], pairs[0], pairs[1])
        mixed = np.where(random.random((tries, len(self._alleles))) < 0.5, parents.genes[won[0]], parents.genes[won[1]])
        anew = random.random(mixed.shape) < 1.5 / len(self._alleles)
        return self._new(np.where(anew, random.integers(0, self._alleles, mixed.shape), mixed), count)

    def survivors(self, parents: Rated | None, children: Rated) -> Rated:
        """The best of both."""
        every = children if parents is None else Rated.joined(parents, children)
        return every.take(best_first(every.costs, ranks(every))[: self._population])

    def _new(self, genes: IntArray, count: int) -> IntArray:
        rows = [row for row in dict.fromkeys(map(tuple, genes.tolist())) if row not in self.seen]
        return np.array(rows[:count], dtype=np.int64).reshape(-1, len(self._alleles))


def _state(search: Generations[Rated], operators: _Operators) -> dict[str, object]:
    parents = search.parents
    assert parents is not None
    return {
        "generation": search.generation, "scored": search.scored, "genes": parents.genes, "costs": parents.costs,
        "violation": parents.violation, "seen": np.array(sorted(operators.seen), dtype=np.int64),
    }  # fmt: skip


def _continue(search: Generations[Rated], operators: _Operators, record: Recorder) -> None:
    state = record.state
    assert state is not None
    parents = Rated(state["genes"], state["costs"], state["violation"])
    operators.seen = set(map(tuple, state["seen"].tolist()))
    search.continue_from(int(state["generation"]), int(state["scored"]), parents)


def _objectives(instance: NeksusInstance) -> list[tuple[str, Sense]]:
    chosen = objectives_of(CHOICE.roles(QUANTITIES, instance.params))
    return [(quantity.name, quantity.sense) for quantity in chosen]


def _costs(instance: NeksusInstance, columns: Mapping[str, FloatArray]) -> FloatArray:
    names = _objectives(instance)
    return to_costs(np.column_stack([columns[name] for name, _ in names]), [sense for _, sense in names])


def _extend(instance: NeksusInstance, front: RunningFront, designs: Designs) -> None:
    front.extend(_costs(instance, designs.columns), designs.columns[ROOM.name] >= 0)


def _promising_first(costs: FloatArray) -> IntArray:
    """Rows by the sum of their bounds, each as a share of its range."""
    low, high = costs.min(axis=0), costs.max(axis=0)
    shares = (costs - low) / np.where(high > low, high - low, 1.0)
    total = np.zeros(len(costs))
    for column in shares.T:
        total = total + column
    return np.asarray(np.argsort(total, kind="stable"))


def _beaten(bounds: FloatArray, front: FloatArray) -> BoolArray:
    """Which bounds a point of the front dominates, shape `n`."""
    found = np.zeros(len(bounds), dtype=bool)
    for point in front:
        found |= (point <= bounds).all(axis=1) & (point < bounds).any(axis=1)
    return found
