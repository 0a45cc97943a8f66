"""Efficiency of the baselines, compared, and how many random mappings are good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from engines.methods.mapformer.managers.registry import manager_of
from engines.methods.mapformer.problem.instance import instance_of
from engines.methods.mapformer.random_classes import in_class
from engines.methods.mapformer.reproduction.mixes import problem_of
from engines.methods.mapformer.run import task_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import Publication
from engines.running.context import LocalContext
from engines.simulation.steady_state import steady_state
from engines.workloads.families.image_mixes import drawn_mix

PUBLICATION = Publication(Path(__file__).parent, "karatzas-2024")
NAMES = {
    "mosaic": "MOSAIC",
    "odmdef": "ODMDEF",
    "genetic": "GA",
    "omniboost": "OmniBoost",
    "omniboost-power": "OmniBoost*",
}
RIVALS = tuple(NAMES)
OVER_RIVAL, OF_OWN = "over the rival", "of its own"
READINGS: Mapping[str, str] = MappingProxyType(
    {
        OVER_RIVAL: (
            "An improvement is (E - E') / E', as “90.8 % higher” says. This is 1.9 times the inferences per joule E' of "
            "the baseline"
        ),
        OF_OWN: (
            "An improvement is (E - E') / E, so that 90.8 % are 10.9 times the baseline's. The three published "
            "improvements over OmniBoost then have a mean of 59.0 %. Section 5.4 calls OmniBoost 56.4 % less efficient, "
            "which is near"
        ),
    }
)
MODES_W = (10.0, 15.0, 30.0)
_MIXES = 10
FIGURES = {  # size of the mixes, and the modes that the printed numbers are of
    "fig7a_6dnn": (6, MODES_W),
    "fig7b_8dnn": (8, MODES_W),
    "fig7c_10dnn_10W": (10, (10.0,)),
}
SIMULATED = (
    "The board is simulated, and the mixes are not published. The baselines are our readings of a few sentences on "
    "each."
)


@dataclass(frozen=True)
class Rivals(Case[Mapping[str, float]]):
    """Mean inferences per joule of each baseline over mixes of one size within one power limit.

    Of each the fastest mapping that meets the limit counts; 0 where it finds none.
    """

    size: int
    power_limit_w: float
    mixes: int = field(default=_MIXES)

    def run(self) -> Mapping[str, float]:
        """Name -> efficiency."""
        found = {name: np.zeros(self.mixes) for name in RIVALS}
        for number in range(self.mixes):
            problem = problem_of(drawn_mix(self.size, number), self.power_limit_w)
            task = task_of(problem, instance_of(problem), LocalContext(problem).random)
            for name in RIVALS:
                manager, best = manager_of(name, task), (0.0, 0.0)
                state: dict[str, Any] = {}
                for round_number in range(manager.rounds):
                    tried = manager.round(round_number, state)
                    state = dict(tried.state)
                    kept = tried.steady.valid & (tried.steady.power_w <= self.power_limit_w)
                    rows = zip(tried.steady.mean_per_s[kept].tolist(), tried.steady.per_j[kept].tolist(), strict=True)
                    best = max([best, *rows])
                found[name][number] = best[1]
        return {name: float(values.mean()) for name, values in found.items()}

    def blank(self) -> Mapping[str, float]:
        """Return NaN for the efficiency."""
        return dict.fromkeys(RIVALS, nan)


@dataclass(frozen=True)
class GoodShare(Case[float]):
    """Share in per cent of random mappings in the upper half of throughput and the lower half of power, as Figure 1 bins them."""

    size: int
    mappings: int
    bins: int

    def run(self) -> float:
        """Return the mean of the computed value over the mixes."""
        shares = []
        for number in range(_MIXES):
            problem = problem_of(drawn_mix(self.size, number))
            instance = instance_of(problem)
            drawn = instance.space.drawn(LocalContext(problem).random("figure 1"), self.mappings)
            found = steady_state(instance.board, drawn)
            shares.append(100 * float(in_class(found.mean_per_s, found.power_w, True, True, self.bins).mean()))
        return float(np.mean(shares))

    def blank(self) -> float:
        """Return NaN for the share."""
        return nan


def good_mappings(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figure 1."""
    names = ("fig1.dnns", "fig1.random_mappings", "fig1.bins")
    size, mappings, bins = (int(PUBLICATION.value(name)) for name in names)
    rows = PUBLICATION.rows(
        "Figure 1", why="The board is simulated. The publication does not say which eight networks were mapped."
    )
    ours = look(GoodShare(size, mappings, bins))
    yield rows("Random mappings with high throughput and low power", "fig1.good_solutions", ours, inputs=names)


def rivals(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figure 7: improvements over two baselines, as the ratio between the two, another form of its rows."""
    for reading in READINGS:
        yield from _rivals(look, reading)


def _rivals(look: OutcomeReader, reading: str) -> Iterator[Comparison]:
    rows = PUBLICATION.rows("Figure 7: baselines compared", reading, SIMULATED, "repeated")
    for figure, (size, modes) in FIGURES.items():
        found = [look(Rivals(size, mode)) for mode in modes]
        mean = {name: float(np.mean([each[name] for each in found])) for name in RIVALS}
        base = f"{figure}.improvement_over.MOSAIC"
        for name in RIVALS[1:]:
            over = f"{figure}.improvement_over.{NAMES[name]}"
            one, other = (rival_share(PUBLICATION.value(key), reading) for key in (over, base))
            printed = PUBLICATION.derived(one / other, "x", over, base)
            ours = mean[name] / mean["mosaic"] if mean["mosaic"] else nan
            words = f"{size} networks{' at 10 W' if len(modes) == 1 else ''}: inferences per joule of {NAMES[name]} over MOSAIC"
            yield rows(words, printed, ours, same_side=ours > 1)


def rival_share(improvement_percent: float, reading: str) -> float:
    """Return the efficiency of a baseline as a share of MapFormer's, by an improvement over it under a reading."""
    share = improvement_percent / 100
    return 1 - share if reading == OF_OWN else 1 / (1 + share)


def arithmetic(_: OutcomeReader) -> Iterator[Comparison]:
    """Yield the ratios of Table 2."""
    rows = PUBLICATION.rows("Published values combined", why="Published with two or three digits.", kind="arithmetic")
    for words, ratio, over, under in (
        ("Parameters, encoder alone over MapFormer", "table2.parameter_ratio", "parameters.casual", "parameters.mapformer"),
        ("Inferences a second, MapFormer over encoder alone", "table2.speed_ratio", "inferences_per_second.mapformer",
         "inferences_per_second.casual"),
    ):  # fmt: skip
        pair = (f"table2.{over}", f"table2.{under}")
        ours = PUBLICATION.value(pair[0]) / PUBLICATION.value(pair[1])
        yield rows(words, ratio, ours, inputs=pair)
    for which in ("mapformer", "casual"):
        names = (
            f"table2.attention_layers.{which}",
            f"table2.embedding_dim.{which}",
            f"table2.feed_forward_size.{which}",
        )
        layers, width, inner = (PUBLICATION.value(name) for name in names)
        each = 4 * (width * width + width) + (2 * width * inner + width + inner) + 4 * width
        why = "Counts the encoder's layers alone; embeddings and heads come on top." if which == "mapformer" else ""
        yield rows(f"Parameters, {which}", f"table2.parameters.{which}", layers * each, inputs=names, why=why or None)
