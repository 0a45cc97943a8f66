"""Tables 4 and 5 and Figure 6: shares on the GPU within limits on latency and power."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.methods.magnas.reproduction.common import (
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
from engines.methods.magnas.reproduction.published import CLOCKS, PUBLICATION, clock_choices
from engines.methods.magnas.reproduction.runs import Case, Outcome
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import OutcomeReader


def table_4(look: OutcomeReader, reading: str) -> Iterator[Comparison]:
    """Yield the share of blocks on the GPU by allowed increase of latency."""
    rows = PUBLICATION.rows(
        "Table 4 and Figure 6, left: share on the GPU by allowed increase of latency", reading=reading
    )
    powers = {}
    for slack in SLACKS:
        found = [look(Case(network, (("latency_slack_percent", slack),))) for network in NETWORKS.values()]
        name = f"table4.latency_increase.avg_gpu_utilization.p{slack}"
        ours = float(np.mean([share_of(one, reading, fitness) for one in found]))
        yield rows(f"Latency at most {slack} % above GPU alone", name, ours, why=FIVE_MODELS, baseline=1)
        powers[slack] = float(np.median([_power(one, reading) for one in found]))
    name = "Average power at 5 % over that at 100 %, median"
    ratio = powers[5] / powers[100]
    yield rows(name, "fig6.power_ratio_5pct_vs_100pct", ratio, same_side=ratio > 1, why=FIVE_MODELS)
    if reading == MEAN:
        ratios = [look(Case(NETWORKS[name])) for name in BASELINES]
        ours = float(np.mean([one.dla[0] / one.gpu[0] for one in ratios]))
        yield rows(
            "Latency on DLA over GPU, mean of b0 to b3",
            "gpu_dla_latency_ratio",
            ours,
            kind="fitted",
            why=TOTALS,
            reading="",
        )


def table_5(look: OutcomeReader, reading: str) -> Iterator[Comparison]:
    """Yield the share of blocks on the GPU by power budget."""
    rows = PUBLICATION.rows("Table 5 and Figure 6, right: share on the GPU by power budget", reading=reading)
    fastest = {}
    for budget in BUDGETS_W:
        found = [look(budget_case(network, budget)) for network in NETWORKS.values()]
        ours = float(np.mean([share_of(one, reading, lambda one: one.latency_s) for one in found]))
        name = f"table5.power_budget.avg_gpu_utilization.w{budget}"
        yield rows(f"At most {budget} W", name, ours, why=BUDGET, inputs=CLOCKS, baseline=1)
        fastest[budget] = float(np.median([_latency(one, reading) for one in found]))
    words = "latency at 10 W" if reading == MEAN else "latency of the fastest at 10 W"
    yield rows(
        "Median latency at 10 W",
        "fig6.median_latency_at_10W",
        MS * fastest[10],
        why=f"The computed value is the {words}. {BUDGET}",
    )
    ours = fastest[10] / fastest[30]
    yield rows(
        "The same over that at 30 W",
        "fig6.latency_ratio_10W_vs_30W",
        ours,
        same_side=ours > 1 if reading == MEAN else None,
        why=BUDGET,
    )


def budget_case(network: str, budget_w: float) -> Case:
    """Return the mapping and the 24 settings of Table 1 together, within an average power."""
    return Case(network, (("power_limit_w", budget_w), ("clocks", "searched"), ("clock_choices", clock_choices())))


def _power(one: Outcome, reading: str) -> float:
    power = one.energy_j / one.latency_s
    return float(power[fitness(one).argmin()] if reading == BEST else np.median(power))


def _latency(one: Outcome, reading: str) -> float:
    return float(one.latency_s.min() if reading == BEST else np.median(one.latency_s))
