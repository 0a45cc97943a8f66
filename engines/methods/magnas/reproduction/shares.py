"""Evolutionary and random search as fractions of the exact front, for every case that is reproduced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engines.mapping.solver.genetic import Method
from engines.methods.magnas.reproduction.common import BASELINES, NETWORKS, TABLE
from engines.methods.magnas.reproduction.published import PUBLICATION, clock_choices
from engines.methods.magnas.reproduction.runs import ISOTROPIC, PYRAMID, Case
from engines.methods.magnas.reproduction.searches import (
    BUDGET_FIGURE_8,
    BUDGET_FIGURE_9,
    GRANULARITIES,
    IOE_BUDGET,
    METHODS,
    POPULATION,
    SEEDS,
    AcceleratorShare,
    published_table,
    share,
)
from engines.methods.magnas.search.accelerators import AS_MAESTRO
from engines.reproduction import frame
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import OutcomeReader

GROUP = "Share of the exact hypervolume, mean of 3 seeds"


def _cases() -> list[tuple[str, Case, int]]:
    """Return words, run and number of mappings."""
    clocks = (("clocks", "searched"), ("clock_choices", clock_choices()))
    return [
        *((f"{name}, 2,000 mappings", Case(NETWORKS[name]), IOE_BUDGET) for name in NETWORKS),
        ("b2 with the 24 clock settings, 2,000", Case(NETWORKS["b2"], clocks), IOE_BUDGET),
        ("a3 at most 20 % above GPU alone, 2,000", Case(NETWORKS["a3"], (("latency_slack_percent", 20),)), IOE_BUDGET),
        ("a3 at most 2 unit transitions, 2,000", Case(NETWORKS["a3"], (("transition_limit", 2),)), IOE_BUDGET),
        ("a3 within 12 W, 2,000", Case(NETWORKS["a3"], (("power_limit_w", 12.0),)), IOE_BUDGET),
        ("Figure 8, isotropic, 20,000", Case(ISOTROPIC), BUDGET_FIGURE_8),
        ("Figure 8, pyramid, 20,000", Case(PYRAMID), BUDGET_FIGURE_8),
    ]


@dataclass(frozen=True)
class EngineShare(frame.NumberCase):
    """Share of the exact hypervolume that the engine's search reaches on GPU and DLA."""

    case: Case
    method: str
    evaluations: int

    def run(self) -> float:
        """Return the value in %, mean of the seeds."""
        chosen = (("method", self.method), ("evaluations", self.evaluations), ("population", POPULATION))
        cases = [Case(self.case.network, (*self.case.params, *chosen), seed) for seed in range(SEEDS)]
        return float(np.mean([case.run().share_percent for case in cases]))


@dataclass(frozen=True)
class TableShare(frame.NumberCase):
    """The same with costs per block from the publication's own totals."""

    name: str
    method: Method

    def run(self) -> float:
        """Return the value in %, mean of the seeds."""
        costs = published_table(self.name)
        return float(np.mean([share(costs, self.method, IOE_BUDGET, seed) for seed in range(SEEDS)]))


def engine_rows(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the cases of sections 5.3 to 5.7.1."""
    for words, case, evaluations in _cases():
        for method, title in METHODS.items():
            ours = look(EngineShare(case, method, evaluations))
            yield PUBLICATION.rows(GROUP)(f"{words}: {title}", PUBLICATION.unprinted("%", "Sections 5.3 to 5.7"), ours)


def accelerator_rows(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the case of Figure 9."""
    for granularity in GRANULARITIES:
        for method, title in METHODS.items():
            ours = look(AcceleratorShare(granularity, AS_MAESTRO, method, BUDGET_FIGURE_9))
            name = f"Figure 9, {granularity}, 60,000: {title}"
            yield PUBLICATION.rows(GROUP)(name, PUBLICATION.unprinted("%", "Figure 9"), ours)


def block_rows(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the baselines with costs per block."""
    for name in BASELINES:
        for method, title in METHODS.items():
            words, ours = f"{name}, 2,000 mappings: {title}", look(TableShare(name, method))
            yield PUBLICATION.rows(GROUP)(words, PUBLICATION.unprinted("%", "Sections 5.3 to 5.7"), ours, reading=TABLE)
