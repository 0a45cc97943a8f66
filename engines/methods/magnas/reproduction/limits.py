"""Tables 4 and 5 and Figure 6: shares on the GPU within limits on latency and power."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.methods.magnas.reproduction.published import CLOCKS, clock_choices, compare
from engines.methods.magnas.reproduction.runs import Case, Outcome, Runs
from engines.methods.magnas.reproduction.shared import (
    BASELINES,
    BEST,
    BUDGET,
    BUDGETS_W,
    FIVE_MODELS,
    MEAN,
    MS,
    NETWORKS,
    SLACKS,
    TOTALS,
    fitness,
    share_of,
)
from engines.reproduction.comparisons import Comparison


def table_4(runs: Runs, reading: str) -> Iterator[Comparison]:
    """Share of blocks on the GPU by allowed increase of latency."""
    group = "Table 4 and Figure 6, left: share on the GPU by allowed increase of latency"
    powers = {}
    for slack in SLACKS:
        found = [runs.look(Case(network, (("latency_slack_percent", slack),))) for network in NETWORKS.values()]
        name = f"table4.latency_increase.avg_gpu_utilization.p{slack}"
        ours = float(np.mean([share_of(one, reading, fitness) for one in found]))
        yield compare(f"Latency at most {slack} % above GPU alone", name, ours, group, reading=reading, why=FIVE_MODELS)
        powers[slack] = float(np.median([_power(one, reading) for one in found]))
    name = "Average power at 5 % over that at 100 %, median"
    ratio = powers[5] / powers[100]
    yield compare(
        name, "fig6.power_ratio_5pct_vs_100pct", ratio, group, reading=reading, why=FIVE_MODELS, side=(True, ratio > 1)
    )
    if reading == MEAN:
        ratios = [runs.look(Case(NETWORKS[name])) for name in BASELINES]
        ours = float(np.mean([one.dla[0] / one.gpu[0] for one in ratios]))
        yield compare(
            "Latency on DLA over GPU, mean of b0 to b3", "gpu_dla_latency_ratio", ours, group, kind="fitted", why=TOTALS
        )


def table_5(runs: Runs, reading: str) -> Iterator[Comparison]:
    """Share of blocks on the GPU by power budget."""
    group = "Table 5 and Figure 6, right: share on the GPU by power budget"
    fastest = {}
    for budget in BUDGETS_W:
        found = [runs.look(budget_case(network, budget)) for network in NETWORKS.values()]
        ours = float(np.mean([share_of(one, reading, lambda one: one.latency_s) for one in found]))
        name = f"table5.power_budget.avg_gpu_utilization.w{budget}"
        yield compare(f"At most {budget} W", name, ours, group, reading=reading, why=BUDGET, inputs=CLOCKS)
        fastest[budget] = float(np.median([_latency(one, reading) for one in found]))
    words = "latency at 10 W" if reading == MEAN else "latency of the fastest at 10 W"
    yield compare(
        "Median latency at 10 W",
        "fig6.median_latency_at_10W",
        MS * fastest[10],
        group,
        reading=reading,
        why=f"Ours is the {words}. {BUDGET}",
    )
    ours = fastest[10] / fastest[30]
    yield compare(
        "The same over that at 30 W",
        "fig6.latency_ratio_10W_vs_30W",
        ours,
        group,
        reading=reading,
        why=BUDGET,
        side=(True, ours > 1) if reading == MEAN else None,  # a fastest mapping within more power is never slower
    )


def budget_case(network: str, budget_w: float) -> Case:
    """Mapping and the 24 settings of Table 1 together, within an average power."""
    return Case(network, (("power_limit_w", budget_w), ("clocks", "searched"), ("clock_choices", clock_choices())))


def _power(one: Outcome, reading: str) -> float:
    power = one.energy_j / one.latency_s
    return float(power[fitness(one).argmin()] if reading == BEST else np.median(power))


def _latency(one: Outcome, reading: str) -> float:
    return float(one.latency_s.min() if reading == BEST else np.median(one.latency_s))
