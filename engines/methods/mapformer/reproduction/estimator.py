"""The estimator of Tables 2 and 3 beside ours, and MapFormer over its rivals (Figure 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from engines.documents.problems import make_problem
from engines.methods.mapformer.estimator.document import TrainedEstimator, builtin_for
from engines.methods.mapformer.managers.registry import manager_of
from engines.methods.mapformer.problem.instance import instance_of
from engines.methods.mapformer.reproduction.managers import FIGURES, NAMES, PUBLICATION, RIVALS, SIMULATED, Rivals
from engines.methods.mapformer.reproduction.mixes import problem_of
from engines.methods.mapformer.run import task_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Look, NumberCase
from engines.running.context import LocalContext
from engines.workloads.families.image_mixes import drawn_mix

_BOARD = "jetson-agx-xavier"
_MIXES = 10
_HEADLINE = "fig7c_10dnn_10W"


@dataclass(frozen=True)
class Managed(NumberCase):
    """Mean inferences per joule of MapFormer over the mixes of one size within one limit of power, as `Rivals` counts it."""

    size: int
    power_limit_w: float
    mixes: int = field(default=_MIXES)

    def run(self) -> float:
        """Of the fastest mapping that it handed over and that keeps the limit."""
        found = []
        for number in range(self.mixes):
            plain = problem_of(drawn_mix(self.size, number), self.power_limit_w)
            params: dict[str, Any] = {**plain.params.model_dump(), "manager": "mapformer"}
            problem = make_problem("mapformer", dict(plain.inputs), params, 0)
            context = LocalContext(problem)
            manager = manager_of("mapformer", task_of(problem, instance_of(problem), context.random, context.files))
            best, state = (0.0, 0.0), dict[str, Any]()
            for place in range(manager.rounds):
                tried = manager.round(place, state)
                state = dict(tried.state)
                keeps = tried.steady.valid & (tried.steady.power_w <= self.power_limit_w)
                rows = zip(tried.steady.mean_per_s[keeps].tolist(), tried.steady.per_j[keeps].tolist(), strict=True)
                best = max([best, *rows])
            found.append(best[1])
        return float(np.mean(found))


def shipped_estimator(_: Look) -> Iterator[Comparison]:
    """Tables 2 and 3, by the document of the estimator that ships."""
    said = _shipped()
    rows = PUBLICATION.rows(
        "Table 2: our estimator",
        why="Layers are embedded by their profile and not by a table of known ones, and heads have a layer more.",
    )
    yield rows("Learnt numbers of the estimator", "table2.parameters.mapformer", float(said.shape.weight_count))
    why = "Ours is measured against a simulated board, on mixes of our own; ends of the publication's classes are not printed."
    rows = PUBLICATION.rows("Table 3: our estimator", why=why)
    held = said.accuracy.held_out
    yield rows("Exact class of throughput", "table3.MapFormer.throughput_acc", 100 * held.throughput_exact)
    yield rows("Exact class of power", "table3.MapFormer.power_acc", 100 * held.power_exact)


def improvements(look: Look) -> Iterator[Comparison]:
    """Figure 7 (c), the headline: what MapFormer gains over each rival, (E - E of the rival) / E."""
    rows = PUBLICATION.rows("Figure 7: MapFormer over its rivals", why=SIMULATED)
    size, (mode,) = FIGURES[_HEADLINE]
    own, others = look(Managed(size, mode)), look(Rivals(size, mode))
    for name in RIVALS:
        words = f"{size} networks at {mode:g} W: MapFormer over {NAMES[name]}"
        gain = 100 * (own - others[name]) / own if own else nan
        yield rows(words, f"{_HEADLINE}.improvement_over.{NAMES[name]}", gain, same_side=gain > 0)


def _shipped() -> TrainedEstimator:
    said = builtin_for(_BOARD)
    assert said is not None
    return said
