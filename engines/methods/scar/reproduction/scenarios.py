"""Sections 4.1, 4.5.2 and 4.5.3 of the thesis: what heterogeneous packages gain, scenario by scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engines.methods.scar.reproduction.rows import (
    BEYOND_BOUND,
    DATACENTRE,
    EXTENDED_REALITY,
    OTHER_AVERAGE,
    SIDES,
    THESIS,
    Rows,
    percent_less,
)
from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import row

_DATACENTRE = "Datacentre, scenarios 1 to 5"


def fourth(rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of section 4.5.3, scenario 4: gain of Het-Sides over homogeneous packages and over one chiplet."""
    four = rows.outcome(4, SIDES)
    for key, baseline in (
        ("simba_nvdla", "Simba NVDLA"),
        ("simba_shi", "Simba Shi-diannao"),
        ("standalone_nvdla", "Standalone NVDLA"),
    ):
        name = f"Scenario 4, EDP: {baseline} over Het-Sides"
        ours = four.figures(baseline)["edp_js"] / four.package["edp_js"]
        yield rows.sided(name, THESIS.printed(f"fig4.8.C3.s4_edp_vs_{key}"), ours, _DATACENTRE)


def datacentre(rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of sections 4.1, 4.5.2 and 4.5.3, scenarios 1 to 5."""
    yield from fourth(rows)
    group, four = _DATACENTRE, rows.outcome(4, SIDES)
    published = THESIS.printed("fig4.8.C3.s4_edp_vs_standalone_nvdla")
    most = four.figures("Standalone NVDLA")["edp_js"] / four.least_edp_js
    name = "Scenario 4, EDP: Standalone NVDLA over the lower bound of any schedule"
    why = "" if most >= published.value else BEYOND_BOUND
    yield row(name, published, most, group, reading=rows.reading, why=why, kind="repeated")
    for scenario, key in enumerate(("s1", "s2", "s3", "s45", "s45"), start=1):
        name = f"Scenario {scenario}, latency: Standalone NVDLA over Simba NVDLA"
        ours = rows.speedup_by_latency(scenario)
        if key == "s45":
            published = THESIS.printed(f"fig4.8.A1.{key}_simba_nvdla_slowdown")
            published = replace(published, value=1 / published.value)
        else:
            published = THESIS.printed(f"fig4.8.A1.{key}_simba_nvdla_speedup")
        # One printed slow-down covers scenarios 4 and 5.
        yield rows.sided(name, published, ours, group, kind="repeated" if scenario == DATACENTRE[-1] else "predicted")
    name = "Scenario 3, latency: most that Simba NVDLA gains over Standalone NVDLA"
    yield rows.sided(name, THESIS.printed("fig4.6.s3_latency_simba_nvdla_speedup"), rows.speedup_by_latency(3), group)
    yield from _average_savings(rows, "datacenter", DATACENTRE, group)


def extended_reality(rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of sections 4.1, 4.5.2 and 4.5.3, scenarios 6 to 10."""
    group = "AR/VR, scenarios 6 to 10"
    yield from _average_savings(rows, "arvr", EXTENDED_REALITY, group)
    gains = []
    for scenario in (7, 8, 10):  # the scenarios of Figure 4.7
        alone = rows.outcome(scenario, SIDES).figures("Standalone NVDLA")["latency_s"]
        gains.append(alone / min(rows.heterogeneous(scenario, "latency_s")))
    name = "Scenarios 7, 8 and 10, EDP search: most that a heterogeneous package is faster than Standalone NVDLA"
    yield rows.sided(name, THESIS.printed("fig4.7.arvr_het_speedup"), max(gains), group)
    savings = []
    for scenario in EXTENDED_REALITY:
        found = rows.outcome(scenario, SIDES)
        savings.append(percent_less(found.package, found.figures("Standalone NVDLA"), "edp_js"))
    name = "EDP that Het-Sides saves against Standalone NVDLA, mean of the scenarios"
    key = "fig4.9.arvr_edp_improvement_vs_standalone_nvdla"
    yield rows.sided(name, THESIS.printed(key), float(np.mean(savings)), group)


def _average_savings(rows: Rows, key: str, scenarios: range, group: str) -> Iterator[Comparison]:
    """Yield the rows of section 4.1: the better of both heterogeneous packages against homogeneous ones, mean over scenarios."""
    both, better = [], []
    for scenario in scenarios:
        homogeneous = [
            rows.outcome(scenario, SIDES).figures(name)["edp_js"] for name in ("Simba NVDLA", "Simba Shi-diannao")
        ]
        best = min(rows.heterogeneous(scenario, "edp_js"))
        both += [100 * (1 - best / value) for value in homogeneous]
        better.append(100 * (1 - best / min(homogeneous)))
    published = THESIS.printed(f"avg_edp_reduction_{key}")
    name = f"Scenarios {scenarios[0]} to {scenarios[-1]}, EDP that the better heterogeneous package saves"
    yield rows.sided(f"{name}: mean over both Simba packages", published, float(np.mean(both)), group, OTHER_AVERAGE)
    yield rows.sided(
        f"{name}: against the better Simba package", published, float(np.mean(better)), group, OTHER_AVERAGE, "repeated"
    )
