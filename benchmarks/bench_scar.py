"""SCAR: the plan of a problem, scenario 4 on a 3 x 3 package, exact search of its windows, and the dataflow model."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from benchmarks.report import Figure, median_ms, show
from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.joint.search import relaxed_bound
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.certificates import gap_percent
from engines.chiplets.windows.evolutionary import evolutionary_search
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.options import WindowOptions
from engines.chiplets.windows.reconfig import assign_windows
from engines.chiplets.windows.resumable import whole
from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.cost.dataflow.model import ArrayFigures, layer_costs
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from engines.running.inspection import plan as plan_of

EVALUATIONS = 4200
LAYOUTS = ("nvdla", "shi-diannao", "het-checkerboard", "het-sides", "het-cross")


def problem(hardware: str, workload: str = "mlperf-scenario-4") -> Problem:
    """Return a problem with the default parameters."""
    inputs = {"hardware": get_builtin("hardware", hardware), "workload": get_builtin("workload", workload)}
    return make_problem("scar", inputs, {"evaluations": EVALUATIONS}, seed=1)


def run_seconds(one: Problem) -> tuple[float, Designs]:
    """Return the processor time of a whole run in this process (it uses one thread), and its designs."""
    begin = time.process_time()
    steps = list(drive(get_engine("scar"), one, LocalContext(one)))
    seconds = time.process_time() - begin
    return seconds, Designs.concatenate([step.designs for step in steps if step.designs is not None])


def window_figures() -> list[Figure]:
    """Return the slowest window of scenario 4 on every layout, searched exactly on one core; unproven windows break a limit."""
    figures = []
    for layout in LAYOUTS:
        one = problem(f"simba-3x3-{layout}")
        tables = build_tables(one.values["hardware"], one.values["workload"], one.params)
        seconds: list[float] = []

        def timed(*arguments: Any, kept: list[float] = seconds) -> WindowOptions:
            begin = time.process_time()
            found = search_window_exactly(*arguments)
            kept.append(time.process_time() - begin)
            return found

        windows = assign_windows(tables, one.params.n_splits)
        proofs = [w.proof for w in search_greedily(tables, windows, Goal("edp"), search=timed).windows if w.proof]
        states = sum(proof.states for proof in proofs)
        figures += [
            Figure(f"slowest exact window, {layout}, {states} states in all", max(seconds), "s", 0.3),
            Figure(f"windows proven optimal, {layout}", sum(p.proven for p in proofs), "windows", len(proofs), True),
        ]
    return figures


def large_figures() -> list[Figure]:
    """Scenario 4 on 6 x 6 chiplets, four windows: the published evolutionary search and the beam, with their gaps."""
    one = problem("simba-6x6-het-cross")
    tables = build_tables(one.values["hardware"], one.values["workload"], one.params)
    windows, goal = assign_windows(tables, 3), Goal("edp")
    bound = relaxed_bound(tables, windows, goal)
    searches = {
        "evolutionary 10 x 4": whole(evolutionary_search(10, 4, np.random.default_rng(1))),
        "beam": search_window_exactly,
    }
    figures = []
    for name, search in searches.items():
        begin = time.process_time()
        found = search_greedily(tables, windows, goal, search=search)
        seconds = time.process_time() - begin
        gap = gap_percent(Scorer(tables).score(found.schedule)[2], bound)
        figures += [Figure(f"6 x 6, {name}", seconds, "s", 3.0), Figure(f"6 x 6, {name}, gap to the bound", gap, "%")]
    return figures


def main() -> int:
    """Measure and print."""
    het = problem("simba-3x3-het-sides")
    seconds, designs = run_seconds(het)
    layers = [layer for model in het.values["workload"].models for layer in model.network.layers] * 20
    array = ArrayFigures(4096, 256.0)
    dataflow_ms = median_ms(lambda: layer_costs(layers, "shi-diannao", array), repeats=5)
    largest = problem("simba-3x3-het-sides", "mlperf-scenario-5")
    decision = designs.decisions[int(np.argmin(designs.columns["edp_js"]))]
    return show(
        [
            Figure(f"scenario 4 on Het-Sides, {EVALUATIONS} evaluations, processor time", seconds, "s", 6.0),
            Figure("scenario 5 on Het-Sides, same", run_seconds(largest)[0], "s", 12.0),
            *window_figures(),
            *large_figures(),
            Figure("plan of scenario 4", median_ms(lambda: plan_of(het)), "ms", 50.0),
            Figure(
                "explain one schedule of scenario 4",
                median_ms(lambda: explain(het, decision)),
                "ms",
                100.0,
            ),
            Figure("dataflow model, layers per second", len(layers) / dataflow_ms * 1000, "layers/s", 37_000, True),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
