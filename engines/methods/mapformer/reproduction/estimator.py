"""The estimator of Tables 2 and 3, and MapFormer over its baselines (Figure 7), computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from engines.documents.problems import make_problem
from engines.methods.mapformer.estimator.document import TrainedEstimator, builtin_for
from engines.methods.mapformer.managers.registry import manager_of
from engines.methods.mapformer.omniboost.shipped_networks import FREE, shipped_for
from engines.methods.mapformer.problem.instance import instance_of
from engines.methods.mapformer.reproduction.managers import (
    FIGURES,
    MODES_W,
    NAMES,
    OF_OWN,
    PUBLICATION,
    READINGS,
    RIVALS,
    SIMULATED,
    Rivals,
)
from engines.methods.mapformer.reproduction.mixes import problem_of
from engines.methods.mapformer.run import task_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import NumberCase, OutcomeReader
from engines.running.context import LocalContext
from engines.workloads.families.image_mixes import drawn_mix

_BOARD = "jetson-agx-xavier"
_MIXES = 10
_LETTERS = {"fig7a_6dnn": "a", "fig7b_8dnn": "b", "fig7c_10dnn_10W": "c"}


@dataclass(frozen=True)
class MixEfficiency(NumberCase):
    """Mean inferences per joule of MapFormer over the mixes of one size within one power limit, as `Rivals` counts it."""

    size: int
    power_limit_w: float
    mixes: int = field(default=_MIXES)

    def run(self) -> float:
        """Return the value of the fastest mapping that it proposed and that meets the limit."""
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


def shipped_estimator(_: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Tables 2 and 3, by the document of the estimator that ships."""
    said = _shipped()
    rows = PUBLICATION.rows(
        "Table 2: our estimator",
        why="Layers are embedded by their profile and not by a table of known ones, and heads have a layer more.",
    )
    yield rows(
        "Learnt numbers of the estimator", "table2.parameters.mapformer", float(said.shape.weight_count), kind="chosen"
    )
    why = (
        "The computed value is measured against a simulated board, on other mixes. The ends of the publication's "
        "classes are not published."
    )
    rows = PUBLICATION.rows("Table 3: our estimator", why=why)
    held = said.accuracy.held_out
    yield rows(
        "Exact class of throughput", "table3.MapFormer.throughput_acc", 100 * held.throughput_exact, baseline=100
    )
    yield rows("Exact class of power", "table3.MapFormer.power_acc", 100 * held.power_exact, baseline=100)
    network = shipped_for(_BOARD)
    assert network is not None
    rows = PUBLICATION.rows(
        "Table 3: OmniBoost", why=f"{why} Its columns are blocks of any network here, not layers of known ones."
    )
    words = "Variance of throughput that the network of OmniBoost tells (R squared)"
    yield rows(words, "table3.OmniBoost.throughput_acc", 100 * network.determination[FREE], baseline=100)


def improvements(figure: str) -> Callable[[OutcomeReader], Iterator[Comparison]]:
    """Yield a part of Figure 7: MapFormer's gain over each baseline, under both readings; negative where the baseline is ahead."""

    def rows_of(look: OutcomeReader) -> Iterator[Comparison]:
        for reading in READINGS:
            yield from _improvements(look, figure, reading)

    return rows_of


def _improvements(look: OutcomeReader, figure: str, reading: str) -> Iterator[Comparison]:
    size, modes = FIGURES[figure]
    rows = PUBLICATION.rows(
        f"Figure 7 ({_LETTERS[figure]}): MapFormer over its baselines, {size} networks", reading, SIMULATED
    )
    found = {mode: (look(MixEfficiency(size, mode)), look(Rivals(size, mode))) for mode in MODES_W}
    for name in RIVALS:
        whole = f"{size} networks{_at(modes)}: MapFormer over {NAMES[name]}"
        gain = _gain([found[mode] for mode in modes], name, reading)
        none = 100 if reading == OF_OWN else 0
        yield rows(whole, f"{figure}.improvement_over.{NAMES[name]}", gain, same_side=gain > 0, baseline=none)
        for mode in MODES_W if len(modes) > 1 else sorted(set(MODES_W) - set(modes)):
            words = f"{size} networks{_at((mode,))}: MapFormer over {NAMES[name]}"
            gain = _gain([found[mode]], name, reading)
            printed = PUBLICATION.unprinted("%", "Section 5.3 / Fig 7, drawn without numbers")
            yield rows(words, printed, gain, same_side=gain > 0, part_of=(whole, f"{mode:g} W"), baseline=0)


def against_omniboost(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield what sections 5.1 and 5.4 say of OmniBoost on average, over all of Figure 7."""
    rows = PUBLICATION.rows("Sections 5.1 and 5.4: OmniBoost on average", why=SIMULATED)
    cells = [
        (look(MixEfficiency(size, mode)), look(Rivals(size, mode))) for size, _ in FIGURES.values() for mode in MODES_W
    ]
    gain = _gain(cells, "omniboost")
    yield rows("OmniBoost less efficient than MapFormer", "omniboost_less_efficient", gain, same_side=gain > 0)
    worse = _gain([(others["omniboost"], others) for _, others in cells], "genetic")
    yield rows("GA less efficient than OmniBoost", "ga_vs_omniboost_tradeoff", worse, same_side=worse > 0)


def _gain(cells: Sequence[tuple[float, Mapping[str, float]]], rival: str, reading: str = OF_OWN) -> float:
    """Return by how many per cent of the rival's mean efficiency, or of our own, the mean of our own is more than the rival's."""
    own, other = sum(each for each, _ in cells), sum(others[rival] for _, others in cells)
    base = own if reading == OF_OWN else other
    return 100 * (own - other) / base if base else nan


def _at(modes: Sequence[float]) -> str:
    return f" at {modes[0]:g} W" if len(modes) == 1 else ", mean of 10, 15 and 30 W"


def _shipped() -> TrainedEstimator:
    said = builtin_for(_BOARD)
    assert said is not None
    return said
