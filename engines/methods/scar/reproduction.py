"""Published results of SCAR beside ours, under each reading of a pipeline's latency, and with every window exact.

Published: `published.yaml`, from two publications that are compared apart. Ours: the same search on the built-in packages and
their baselines. Nothing is fitted: compute is counted by closed forms after MAESTRO (`engines/cost/dataflow.py`),
and the paper's own mappings are not published. So absolute seconds and joules are not compared, only who wins and by how much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engines.builtin import get_builtin
from engines.context import LocalContext
from engines.driver import drive
from engines.problems import make_problem
from engines.registry import get_engine
from engines.reproductions import Comparison

THESIS, ARTICLE = "odema-2024", "micro-2024"
SIDES, CHECKERBOARD = "simba-3x3-het-sides", "simba-3x3-het-checkerboard"
NAMES = {SIDES: "Het-Sides", CHECKERBOARD: "Het-CB"}
DEFAULT_READING = "fill and drain, greedy"
READINGS: Mapping[str, Mapping[str, str]] = {
    DEFAULT_READING: {"latency_reading": "fill_drain", "search": "greedy"},
    "slowest segment, greedy": {"latency_reading": "pipelined_maximum", "search": "greedy"},
    "sum of all segments, greedy": {"latency_reading": "end_to_end", "search": "greedy"},
    "fill and drain, exact per window": {"latency_reading": "fill_drain", "search": "exact"},
}
EVALUATIONS = 100  # the schedule of the best windows and the baselines come first; no more is compared
SEED = 1
AS_GOOD = 0.005  # published figures have two or three digits
METRICS = ("latency_s", "edp_js")
OTHER_MAPPINGS = (
    "The mappings behind the published figures are not available. MAESTRO's output-stationary form writes partial sums back "
    "at every step, which makes a Shi-diannao chiplet dear in time and energy."
)

Outcome = Mapping[str, Mapping[str, float]]


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Who wins, and by how much; `quick`: scenario 4 of the thesis under the default reading alone."""
    for reading in (DEFAULT_READING,) if quick else READINGS:
        yield from _scenario_4_edp(reading)
        if not quick:
            yield from _latency_search(reading)
            yield from _article_edp(reading)


def _scenario_4_edp(reading: str) -> Iterator[Comparison]:
    """Section 4.5.3, Figure 4.8 (C3): by how much Het-Sides has the lower energy-delay product."""
    found = _outcome(4, SIDES, "edp", reading)
    for key, baseline in (
        ("simba_nvdla", "Simba NVDLA"),
        ("simba_shi", "Simba Shi-diannao"),
        ("standalone_nvdla", "Standalone NVDLA"),
    ):
        published = _thesis(f"fig4.8.C3.s4_edp_vs_{key}")
        ours = found[baseline]["edp_js"] / found["Het-Sides"]["edp_js"]
        yield _ratio(
            f"Scenario 4, EDP: {baseline} over Het-Sides", reading, published["value"], ours, published["where"]
        )


def _latency_search(reading: str) -> Iterator[Comparison]:
    """Section 4.5.3, Figure 4.8 (A1): standalone NVDLA over Simba NVDLA, search by latency."""
    for scenario, key in enumerate(("s1", "s2", "s3", "s45", "s45"), start=1):
        slower = key == "s45"
        published = _thesis(f"fig4.8.A1.{key}_simba_nvdla_{'slowdown' if slower else 'speedup'}")
        value = 1 / published["value"] if slower else published["value"]
        found = _outcome(scenario, SIDES, "latency", reading)
        ours = found["Standalone NVDLA"]["latency_s"] / found["Simba NVDLA"]["latency_s"]
        name = f"Scenario {scenario}, latency: Standalone NVDLA over Simba NVDLA"
        yield _ratio(name, reading, value, ours, published["where"])


def _article_edp(reading: str) -> Iterator[Comparison]:
    """MICRO 2024, Table IV: energy-delay product of every layout over that of Het-Sides."""
    article = _published()[ARTICLE]
    published = {row["layout"]: row["edp_js"] for row in article["layouts"]}
    for column, scenario in enumerate(article["scenarios"]):
        ours = {**_outcome(scenario, CHECKERBOARD, "edp", reading), **_outcome(scenario, SIDES, "edp", reading)}
        for layout in published:
            if layout != "Het-Sides":
                name = f"Scenario {scenario}, EDP: {layout} over Het-Sides"
                value = published[layout][column] / published["Het-Sides"][column]
                found = ours[layout]["edp_js"] / ours["Het-Sides"]["edp_js"]
                yield _ratio(name, reading, value, found, "Table IV", ARTICLE)


def _ratio(name: str, reading: str, published: float, ours: float, where: str, anchor: str = THESIS) -> Comparison:
    ordering = _winner(published) == _winner(ours)
    why = "" if ordering and 0.8 <= ours / published <= 1.25 else OTHER_MAPPINGS
    return Comparison(name, reading, published, ours, "x", "predicted", anchor, where, ordering, why)


def _winner(ratio: float) -> int:
    """1 where the second of the two names is better, -1 where the first is, 0 where they are as good."""
    return 0 if abs(ratio - 1) <= AS_GOOD else 1 if ratio > 1 else -1


@cache
def _outcome(scenario: int, hardware: str, objective: str, reading: str) -> Outcome:
    """Latency and EDP of the best windows in order and of every baseline, by name."""
    inputs = {
        "hardware": get_builtin("hardware", hardware),
        "workload": get_builtin("workload", f"mlperf-scenario-{scenario}"),
    }
    params = {"objective": objective, **READINGS[reading], "evaluations": EVALUATIONS}
    problem = make_problem("scar", inputs, params, seed=SEED)
    found: dict[str, Mapping[str, float]] = {}
    for designs in (step.designs for step in drive(get_engine("scar"), problem, LocalContext(problem))):
        if designs is None:
            continue
        for row, (origin, label) in enumerate(zip(designs.origin, designs.label, strict=True)):
            name = label if origin == "baseline" else NAMES[hardware]
            found.setdefault(name, {metric: float(designs.columns[metric][row]) for metric in METRICS})
    return found


@cache
def _published() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_name("published.yaml").read_text())
    return loaded


def _thesis(name: str) -> Mapping[str, Any]:
    return next(row for row in _published()[THESIS]["results"] if row["name"] == name)
