"""Compares figures of a bundle's designs with what the engine computes from their decisions; runs in the limited child.

The maker of a bundle knows everything in it, so what is compared must not be known beforehand: the whole front, every baseline,
and of the rest a sample by a seed that the reader brings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.designs import Designs, canonical_json
from engines.contract.engine import Engine, Problem
from engines.contract.errors import EngineError, ProblemError
from engines.contract.quantities import Quantity
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.inspection import plan, run_quantities
from engines.running.slack import evaluate_decisions

SAMPLED_DESIGNS = 200
_RELATIVE_ERROR = 1e-6  # engines promise equal values on one platform only
_FIRST_BATCH, _LARGEST_BATCH = 4, 512
_QUICK_S = 0.5  # a batch that took less is followed by one of twice the size


@dataclass(frozen=True)
class BundleCheck:
    """The values that were computed again and found equal.

    Attributes:
        designs: number of designs of the run.
        front: number of front are on the front, or are no designs of the search (baselines).
        front_checked: number of designs of the front that were recomputed.
        sample: number of other designs drawn by `seed`.
        sample_checked: number of sampled designs that were recomputed.
        seed: seed of the sample and of the order.
        reason: why not all of the front and the sample was computed again; "" where it was.
    """

    designs: int
    front: int
    front_checked: int
    sample: int
    sample_checked: int
    seed: int
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the check as the run stores it."""
        return asdict(self)


@dataclass(frozen=True)
class CheckSample:
    """Numbers of designs to compute again, each part in the order in which it is done."""

    front: IntArray
    sample: IntArray


def pick(quantities: Sequence[Quantity], designs: Designs, parts: IntArray, seed: int) -> CheckSample:
    """Return the designs to recompute, by parts of the file in a random order, so that each part is read once.

    Args:
        quantities: quantities of the run, with their roles in it.
        designs: all `n` of them; their decisions are not looked at.
        parts: in which part of the file each design stands, shape `n`.
        seed: seed of the order and the sample.
    """
    mask = ~designs.of_origin("search")
    mask[designs.front(quantities)] = True
    random = np.random.default_rng(seed)
    rank = random.permutation(int(parts.max()) + 1 if len(parts) else 0)

    def by_part(numbers: IntArray) -> IntArray:
        shuffled = random.permutation(numbers)
        return shuffled[np.argsort(rank[parts[shuffled]], kind="stable")]

    return CheckSample(
        by_part(np.flatnonzero(mask)), by_part(random.permutation(np.flatnonzero(~mask))[:SAMPLED_DESIGNS])
    )


def check_metrics(
    quantities: Sequence[Quantity], scalars: Mapping[str, Any], told: Iterable[tuple[str, Mapping[str, Any]]]
) -> None:
    """Refuse metrics of the run and of its steps that are better than every design.

    Args:
        quantities: quantities of the run.
        scalars: quantity -> values of all designs.
        told: their positions and metrics.

    Raises:
        ProblemError: names the first such metric and the best design's value.
    """
    best = {}
    for quantity in quantities:
        values = np.asarray(scalars[quantity.name], np.float64)
        values = values[np.isfinite(values)]
        if quantity.sense != "none":
            sign = 1.0 if quantity.sense == "minimise" else -1.0
            best[quantity.name] = sign, float((sign * values).min()) if len(values) else np.inf
    for place, metrics in told:
        for name in best.keys() & metrics.keys():
            sign, least = best[name]
            value = metrics[name]
            if value is None or not np.isfinite(value):
                continue
            if sign * value < least - _RELATIVE_ERROR * abs(least):
                accepted = f"{sign * least:.9g}, the best of the designs, or none that is better"
                raise ProblemError(f"{place}.metrics.{name}", value, accepted)


def check_figures(
    problem: Problem,
    picked: CheckSample,
    designs_of: Callable[[IntArray], Designs],
    *,
    count: int,
    seed: int,
    within_s: float,
    engine_path: str | None = None,
) -> BundleCheck:
    """Compute the picked designs again, the front first, until all are done or the time is over.

    Those of an engine that trains (its plan says "pinned") are not: they need the weights, which a bundle leaves out.

    Args:
        problem: problem of the run.
        picked: numbers of the designs.
        designs_of: the designs of some numbers, in any order.
        count: number of designs of the run.
        seed: that `picked` was made by.
        within_s: seconds after which no other batch is begun.
        engine_path: "module:Class" of an engine that is not registered in this process.

    Raises:
        ProblemError: names a figure that the engine does not give.
    """
    engine = get_engine(problem.engine, engine_path)
    sizes = {"designs": count, "front": len(picked.front), "sample": len(picked.sample), "seed": seed}
    if plan(problem, engine).determinism != "exact":
        reason = "Its figures come from training, and the weights are not in the file."
        return BundleCheck(**sizes, front_checked=0, sample_checked=0, reason=reason)
    comparison = _Comparison(engine, problem)
    deadline, done, size = time.monotonic() + within_s, 0, _FIRST_BATCH
    order = np.concatenate([picked.front, picked.sample]).astype(np.int64)
    while done < len(order) and time.monotonic() < deadline:
        began = time.monotonic()
        comparison.compare(designs_of(order[done : done + size]))
        done = min(done + size, len(order))
        if time.monotonic() - began < _QUICK_S:
            size = min(2 * size, _LARGEST_BATCH)
    of_front = min(done, len(picked.front))
    reason = f"Computing them again was ended after {within_s:.0f} s." if done < len(order) else ""
    return BundleCheck(**sizes, front_checked=of_front, sample_checked=done - of_front, reason=reason)


class _Comparison:
    """Figures of the bundle compared with computed ones; a decision that comes again is computed once."""

    def __init__(self, engine: Engine, problem: Problem) -> None:
        self._engine, self._problem = engine, problem
        quantities = run_quantities(engine, problem.canonical()["params"])
        self._names = [quantity.name for quantity in quantities]
        self._known: dict[str, tuple[float, ...]] = {}

    def compare(self, designs: Designs) -> None:
        texts = [canonical_json(decision) for decision in designs.decisions]
        given = dict(zip(texts, designs.decisions, strict=True))
        new = {text: decision for text, decision in given.items() if text not in self._known}
        if new:
            self._learn(new)
        for name, computed in zip(self._names, np.array([self._known[text] for text in texts]).T, strict=True):
            told = designs.columns[name]
            differs = np.flatnonzero(~np.isclose(told, computed, rtol=_RELATIVE_ERROR, atol=0.0, equal_nan=True))
            if len(differs):
                first = differs[0]
                accepted = f"{computed[first]:.9g}, which {self._problem.engine} computes from the design's decision"
                raise ProblemError(f"bundle.designs.{name}", f"{told[first]:.9g}", accepted)

    def _learn(self, new: Mapping[str, Any]) -> None:
        try:
            again = evaluate_decisions(self._engine, self._problem, list(new.values()), LocalContext(self._problem))
        except (EngineError, ValueError, KeyError, TypeError) as error:
            accepted = f"decisions of {self._problem.engine}"
            raise ProblemError("bundle.designs", str(error)[:200], accepted) from error
        rows = zip(*(np.asarray(again.columns[name], np.float64).tolist() for name in self._names), strict=True)
        self._known |= dict(zip(new, rows, strict=True))
