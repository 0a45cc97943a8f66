from __future__ import annotations

from benchmarks.bench_estimates import default_problem, on_twelve_chiplets
from engines.chiplets.windows.growth import window_growth
from engines.running.inspection import plan as plan_of


def test_all_paths_of_twelve_chiplets_take_several_times_those_of_nine() -> None:
    problem = default_problem("scar")
    nine, twelve = (plan_of(each).time_s[1] for each in (problem, on_twelve_chiplets(problem)))
    assert 3 * nine < twelve
    assert window_growth(9) == 1 and window_growth(16) < window_growth(36) < window_growth(12)
