"""The exact controller of split computing on a million windows, and how far Table 5.4 is."""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.report import Figure, median_ms, show
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.split_computing.controllers import ExactController, r_agnostic
from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.windows import Windows, states
from engines.running.context import LocalContext

WINDOWS, MOST_MS, MOST_POINTS = 1_000_000, 1000.0, 0.5
# odema-2024 Table 5.4, R-agnostic: load -> shares of 0, 2 and 3 offloaded pipelines in per cent.
TABLE_5_4 = {0.90: (11.17, 14.73, 74.10), 0.97: (37.18, 17.17, 45.65), 0.99: (70.34, 9.25, 20.41)}


def windows_of(load: float) -> Windows:
    """Return a million windows of the published car."""
    problem = make_problem("split-computing", {"radio": get_builtin("hardware", "wifi-smartphone")}, {"load": load})
    return instance_of(problem).windows(LocalContext(problem), WINDOWS, "bench")


def main() -> int:
    """Measure, and compare with the limits."""
    drawn = windows_of(0.97)

    def exact() -> None:
        ExactController(-2.0)(states(drawn.system, drawn.bits_per_s, drawn.delay_s, drawn.belief))

    errors = [
        100 * np.bincount(r_agnostic(windows_of(load)), minlength=3) / WINDOWS - np.array(printed)
        for load, printed in TABLE_5_4.items()
    ]
    return show([
        Figure(f"exact controller, {WINDOWS:,} windows", median_ms(exact, repeats=5), "ms", MOST_MS),
        Figure("drawing them", median_ms(lambda: windows_of(0.97), repeats=3), "ms"),
        Figure("Table 5.4, R-agnostic: root mean square", float(np.sqrt(np.mean(np.square(errors)))), "points", MOST_POINTS),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
