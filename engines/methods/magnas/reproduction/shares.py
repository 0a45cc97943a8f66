"""Evolutionary and random search as fractions of the exact front, for every case that is reproduced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan

import numpy as np

from engines.contract.engine import Executor
from engines.methods.magnas.accelerators import AS_MAESTRO
from engines.methods.magnas.reproduction.published import clock_choices, unpublished
from engines.methods.magnas.reproduction.runs import ISOTROPIC, PYRAMID, Case, run_case
from engines.methods.magnas.reproduction.searches import (
    BUDGET_FIGURE_8,
    BUDGET_FIGURE_9,
    GRANULARITIES,
    IOE_BUDGET,
    METHODS,
    POPULATION,
    SEEDS,
    Task,
    accelerator_share,
    published_table,
    share,
)
from engines.methods.magnas.reproduction.shared import BASELINES, NETWORKS, TABLE
from engines.reproduction.comparisons import Comparison

GROUP = "Share of the exact hypervolume, mean of 3 seeds"
_ON_ACCELERATORS = tuple((granularity, method) for granularity in GRANULARITIES for method in METHODS)
_BY_BLOCKS = tuple((name, method) for name in BASELINES for method in METHODS)


def _cases() -> list[tuple[str, Case, int]]:
    """Words, run and number of mappings."""
    clocks = (("clocks", "searched"), ("clock_choices", clock_choices()))
    return [
        *((f"{name}, 2,000 mappings", Case(NETWORKS[name]), IOE_BUDGET) for name in NETWORKS),
        ("b2 with the 24 clock settings, 2,000", Case(NETWORKS["b2"], clocks), IOE_BUDGET),
        ("a3 at most 20 % above GPU alone, 2,000", Case(NETWORKS["a3"], (("latency_slack_percent", 20),)), IOE_BUDGET),
        ("a3 at most 2 changes of unit, 2,000", Case(NETWORKS["a3"], (("transition_limit", 2),)), IOE_BUDGET),
        ("a3 within 12 W, 2,000", Case(NETWORKS["a3"], (("power_limit_w", 12.0),)), IOE_BUDGET),
        ("Figure 8, isotropic, 20,000", Case(ISOTROPIC), BUDGET_FIGURE_8),
        ("Figure 8, pyramid, 20,000", Case(PYRAMID), BUDGET_FIGURE_8),
    ]


# In the order of the rows.
BLANK_ENGINE = (nan,) * (len(_cases()) * len(METHODS))
BLANK_ACCELERATORS = (nan,) * len(_ON_ACCELERATORS)
BLANK_BLOCKS = (nan,) * len(_BY_BLOCKS)


def share_of_engine(executor: Executor) -> Sequence[float]:
    """On GPU and DLA, by the engine."""
    jobs = [(case, method, evaluations) for _, case, evaluations in _cases() for method in METHODS]
    return executor.map(_engine_share, None, jobs)


def engine_rows(found: Sequence[float]) -> Iterator[Comparison]:
    """The cases of sections 5.3 to 5.7.1."""
    names = [f"{words}: {title}" for words, _, _ in _cases() for title in METHODS.values()]
    for name, ours in zip(names, found, strict=True):
        yield unpublished(name, ours, "%", GROUP, "Sections 5.3 to 5.7")


def share_on_accelerators(executor: Executor) -> Sequence[float]:
    """On three accelerators."""
    tasks: list[Task] = [(granularity, AS_MAESTRO, m, BUDGET_FIGURE_9) for granularity, m in _ON_ACCELERATORS]
    return executor.map(accelerator_share, None, tasks)


def accelerator_rows(found: Sequence[float]) -> Iterator[Comparison]:
    """The case of Figure 9."""
    for (granularity, method), ours in zip(_ON_ACCELERATORS, found, strict=True):
        yield unpublished(f"Figure 9, {granularity}, 60,000: {METHODS[method]}", ours, "%", GROUP, "Figure 9")


def share_by_blocks(_: Executor) -> Sequence[float]:
    """With costs per block from the publication's own totals."""
    return [
        float(np.mean([share(published_table(name), method, IOE_BUDGET, seed) for seed in range(SEEDS)]))
        for name, method in _BY_BLOCKS
    ]


def block_rows(found: Sequence[float]) -> Iterator[Comparison]:
    """The baselines under those costs."""
    for (name, method), ours in zip(_BY_BLOCKS, found, strict=True):
        words = f"{name}, 2,000 mappings: {METHODS[method]}"
        yield unpublished(words, ours, "%", GROUP, "Sections 5.3 to 5.7", reading=TABLE)


def _engine_share(_: None, job: tuple[Case, str, int]) -> float:
    case, method, evaluations = job
    shares = []
    for seed in range(SEEDS):
        params = (*case.params, ("method", method), ("evaluations", evaluations), ("population", POPULATION))
        shares.append(run_case(None, Case(case.network, params, seed)).share_percent)
    return float(np.mean(shares))
