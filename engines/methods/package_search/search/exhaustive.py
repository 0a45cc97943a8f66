"""All packages up to symmetry, the most promising by their bounds first; those that a bound rules out are not scheduled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context, Infeasibility
from engines.contract.integer_format import counted
from engines.cost.package.model import PackageModel
from engines.methods.package_search.packages.candidate import Candidate, build_package
from engines.methods.package_search.packages.space import Genotype, PackageSpace
from engines.methods.package_search.params import objectives, schedule_goals
from engines.methods.package_search.search.archive import rules_out
from engines.methods.package_search.search.progress import SIZE, Batch, Progress
from engines.methods.package_search.search.scheduling import (
    PackageBound,
    ScheduleProblem,
    Task,
    bound_package,
    schedule_package,
)
from engines.search.running_front import RunningFront

BoundKey = tuple[object, ...]


@dataclass(frozen=True)
class RankedPackages:
    """Packages that can be scheduled, the most promising first.

    Layer by layer: first those whose best values by bound no other package's dominate, then those that only they dominate, and so
    on. Within a layer the best by each objective take turns, so that a search that ends early has something of every part of the
    front; those that are equally good by the bound of the energy-delay product.

    Attributes:
        packages: genotype and bound.
        beyond_limits, cannot_run: number of packages left out by limits, and because they cannot run.
        why: why the workload cannot run on the first of them that it cannot run on.
    """

    packages: tuple[tuple[Genotype, PackageBound], ...]
    beyond_limits: int
    cannot_run: int
    why: Infeasibility | None


def rank_packages(setting: ScheduleProblem, space: PackageSpace, stop: Callable[[], bool]) -> RankedPackages | None:
    """Return all packages within the limits with their bounds; None if asked to stop."""
    bounds = _Bounds(setting, space)
    packages: list[tuple[Genotype, PackageBound]] = []
    beyond = cannot_run = 0
    why: Infeasibility | None = None
    for genotype in space.genotypes():
        if stop():
            return None
        bound = bounds.of(genotype)
        if bound is None:
            beyond += 1
        elif isinstance(bound, Infeasibility):
            cannot_run += 1
            why = why or bound
        else:
            packages.append((genotype, bound))
    return RankedPackages(_in_order(packages, objectives(setting.params)), beyond, cannot_run, why)


def _in_order(
    packages: Sequence[tuple[Genotype, PackageBound]], chosen: tuple[str, ...]
) -> tuple[tuple[Genotype, PackageBound], ...]:
    if not packages:
        return ()
    from moocore import pareto_rank

    best = np.array([bound.points(chosen).min(axis=0) for _, bound in packages])
    # One column is no case for layers: its values are their own order.
    layer = pareto_rank(best) if best.shape[1] > 1 else best[:, 0]
    turn = _turns(layer, best)
    keys = [
        (layer[n], turn[n], bound.least_edp_js, bound.area_mm2, genotype)
        for n, (genotype, bound) in enumerate(packages)
    ]
    return tuple(packages[n] for n in sorted(range(len(packages)), key=keys.__getitem__))


def _turns(layer: FloatArray, best: FloatArray) -> IntArray:
    """Return when each package's turn comes within its layer: its best place among the layer's packages by any objective.

    Args:
        layer: shape `n`.
        best: bounds, shape `n x m`; equal values share a place.
    """
    turn = np.zeros(len(layer), np.int64)
    for each in np.unique(layer):
        rows = np.flatnonzero(layer == each)
        places = [np.unique(best[rows, column], return_inverse=True)[1] for column in range(best.shape[1])]
        turn[rows] = np.min(places, axis=0)
    return turn


class _Bounds:
    """Bounds of packages; those with the same numbers of the same chiplets at the same least distances share one.

    None stands for packages beyond the limits.
    """

    def __init__(self, setting: ScheduleProblem, space: PackageSpace) -> None:
        self._setting, self._space = setting, space
        self._known: dict[BoundKey, PackageBound | Infeasibility | None] = {}
        self._hops: dict[tuple[str, ...], list[int]] = {}

    def of(self, genotype: Genotype) -> PackageBound | Infeasibility | None:
        candidate = self._space.candidate(genotype)
        key = self._key(genotype, candidate)
        if key not in self._known:
            beyond = self._space.violation(genotype) > 0
            self._known[key] = None if beyond else bound_package(self._setting, candidate)
        bound = self._known[key]
        if isinstance(bound, PackageBound) and self._setting.params.minimise_cost:
            # Where its chiplets stand sets how large each design is, and with it the cost.
            return replace(bound, cost_usd=self._setting.cost_usd(build_package(self._setting.base, candidate)))
        return bound

    def _key(self, genotype: Genotype, candidate: Candidate) -> BoundKey:
        sides = candidate.interface_sides
        if sides not in self._hops:
            self._hops[sides] = PackageModel(build_package(self._setting.base, candidate)).memory_hops.tolist()
        kinds: dict[tuple[str, int], list[int]] = {}
        letters = zip(candidate.dataflows, candidate.processing_elements, strict=True)
        for letter, hops in zip(letters, self._hops[sides], strict=True):
            kinds.setdefault(letter, []).append(hops)
        return (genotype[:4], tuple((letter, len(found), min(found)) for letter, found in sorted(kinds.items())))


def search_all(
    setting: ScheduleProblem,
    space: PackageSpace,
    ranked: RankedPackages,
    archive: RunningFront,
    progress: Progress,
    context: Context,
    start: int,
) -> Iterator[Batch]:
    """Yield the schedules of all packages that can matter, as many as the evaluations allow.

    Args:
        setting: given package, workload and parameters.
        space: search space.
        ranked: the packages in order.
        archive: what was found so far; the caller adds what a batch brings before it asks for the next.
        progress: counted on.
        context: for work, and for a stop.
        start: packages of the order that are done.
    """
    goals, chosen = schedule_goals(setting.params), objectives(setting.params)
    least_gain = setting.params.least_gain_percent / 100.0
    at, total = start, len(ranked.packages)
    progress.beyond_limits, progress.cannot_run = ranked.beyond_limits, ranked.cannot_run
    while at < total and not context.stop_requested():
        room = (setting.params.evaluations - progress.evaluations) // len(goals)
        if room < 1:
            return
        tasks: list[Task] = []
        while at < total and len(tasks) < min(SIZE, room):
            genotype, bound = ranked.packages[at]
            at += 1
            if rules_out(archive.points, bound.points(chosen), least_gain):
                progress.pruned += 1
            else:
                tasks.append(Task(space.candidate(genotype), goals, bound, archive.points))
        answers = context.executor.map(schedule_package, setting, tasks)
        founds = tuple(found for own in answers for found in own)
        progress.count(founds)
        progress.scheduled += sum(bool(own) for own in answers)
        progress.dead_ends += sum(not own for own in answers)
        progress.skipped += sum(len(goals) - len(own) for own in answers if own)
        message = f"{counted(at)} of {counted(total)} packages, {counted(progress.pruned)} ruled out by bounds"
        yield Batch(message, founds, at / total, {"done": at})
