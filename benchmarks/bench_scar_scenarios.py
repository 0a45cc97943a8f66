"""SCAR: the ten scenarios of odema-2024 Table 4.2 on five 3 x 3 layouts, exact, by energy-delay product.

Chiplets have 4096 elements for scenarios 1 to 5 and 256 for 6 to 10 (section 4.5.1). Every problem is searched window by window
and over all windows together, on as many processes as there are cores.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass

from benchmarks.report import Figure, cores, show
from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.joint.search import search_jointly
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.certificates import gap_percent
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.running.executor import executor_for

LAYOUTS = ("nvdla", "shi-diannao", "het-checkerboard", "het-sides", "het-cross")
SCENARIOS = range(1, 11)


@dataclass(frozen=True)
class SearchComparison:
    """One problem: processor time of both searches, what they looked at, what they proved, and the memory of the process."""

    name: str
    window_s: float
    joint_s: float
    states: int
    windows: int
    windows_proven: int
    by_window_js: float
    best_js: float
    bound_js: float
    proven: bool
    memory_mb: float

    def line(self) -> str:
        """For people."""
        proof = "proven" if self.proven else f"gap {gap_percent(self.best_js, self.bound_js):.2g} %"
        gain = 100 * (1 - self.best_js / self.by_window_js)
        return (
            f"  {self.name:<30} {self.window_s:6.2f} s by window, {self.windows_proven} of {self.windows} proven; "
            f"{self.joint_s:6.2f} s jointly, {self.states:>11,d} states, {proof:<11} {self.best_js:10.4g} J·s"
            f"{f', {gain:.2g} % less' if gain > 1e-6 else ''}"
        )


def slugs(scenario: int, layout: str) -> tuple[str, str]:
    """Return the names of the built-in workload and package."""
    datacentre = scenario <= 5
    workload = f"{'mlperf' if datacentre else 'xrbench'}-scenario-{scenario}"
    return workload, f"simba-3x3-{layout}{'' if datacentre else '-256'}"


def solve(_: None, item: tuple[int, str]) -> SearchComparison:
    """Return one scenario on one layout, with the default parameters."""
    workload, hardware = slugs(*item)
    inputs = {"hardware": get_builtin("hardware", hardware), "workload": get_builtin("workload", workload)}
    problem = make_problem("scar", inputs, {}, seed=1)
    tables = build_tables(problem.values["hardware"], problem.values["workload"], problem.params)
    goal, windows = Goal("edp"), assign_windows(tables, problem.params.n_splits)
    begin = time.process_time()
    first = search_greedily(tables, windows, goal, search=search_window_exactly)
    middle = time.process_time()
    by_window = Scorer(tables).score(first.schedule)[2]
    joint = search_jointly(tables, windows, goal, by_window, problem.params.joint_states)
    end = time.process_time()
    proofs = [options.proof for options in first.windows if options.proof is not None]
    return SearchComparison(
        name=f"scenario {item[0]}, {item[1]}",
        window_s=middle - begin,
        joint_s=end - middle,
        states=joint.states,
        windows=len(windows),
        windows_proven=sum(proof.proven for proof in proofs),
        by_window_js=by_window,
        best_js=by_window if joint.schedule is None else Scorer(tables).score(joint.schedule)[2],
        bound_js=joint.lower_bound,
        proven=joint.proven,
        memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def main() -> int:
    """Measure and print."""
    items = [(scenario, layout) for layout in LAYOUTS for scenario in SCENARIOS]
    begin = time.perf_counter()
    with executor_for(cores()) as executor:
        solved = executor.map(solve, None, items)
    seconds = time.perf_counter() - begin
    for one in solved:
        print(one.line(), flush=True)
    by_window = sum(one.windows_proven == one.windows for one in solved)
    jointly = sum(one.proven for one in solved)
    better = sum(one.best_js < one.by_window_js for one in solved)
    return show(
        [
            Figure(f"{len(items)} problems on {cores()} cores, everything", seconds, "s", 30.0),
            Figure("processor time per core", sum(one.window_s + one.joint_s for one in solved) / cores(), "s"),
            Figure("processor time window by window", sum(one.window_s for one in solved), "s"),
            Figure("processor time over all windows together", sum(one.joint_s for one in solved), "s"),
            Figure("states of the joint search", sum(one.states for one in solved), "states"),
            Figure("problems with every window proven optimal", by_window, "problems", len(items), True),
            Figure("problems proven optimal over all windows together", jointly, "problems", len(items), True),
            Figure("problems where that is better than window by window", better, "problems"),
            Figure("peak memory of a process", max(one.memory_mb for one in solved), "MB", 1000.0),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
