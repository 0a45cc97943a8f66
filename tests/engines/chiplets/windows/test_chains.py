from __future__ import annotations

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from tests.engines.chiplets.cases import package, tables


def test_paths_left_out_for_their_number_forbid_the_proof() -> None:
    built = tables({"a": [[1.0] * 12] * 2}, {"n_splits": 0, "path_limit": 16, "node_rule": "free"}, on=package(4, 5))
    windows = assign_windows(built, 0)
    found = search_greedily(built, windows, Goal("latency"), search=search_window_exactly).windows[0]
    assert found.proof is not None and not found.proof.proven
    assert found.proof.lower_bound <= found.best.latency_s
    assert any("path limit" in note for note in found.notes)
