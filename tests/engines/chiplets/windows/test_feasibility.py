from __future__ import annotations

from engines.chiplets.windows.feasibility import find_infeasibility
from engines.chiplets.windows.reconfig import assign_windows
from tests.engines.chiplets.cases import package, tables


def found(models: int, on=None, **params):
    built = tables({f"m{i}": [[1], [1]] for i in range(models)}, {"n_splits": 0} | params, on=on)
    return find_infeasibility(built, assign_windows(built, 0))


def test_as_many_models_as_start_chiplets_fit() -> None:
    assert found(4) is None
    assert found(6, root_rule="free") is None


def test_more_models_than_chiplets() -> None:
    infeasible = found(7, root_rule="free")
    assert infeasible is not None
    assert (infeasible.limit, infeasible.demand, infeasible.bound, infeasible.gap) == ("chiplets in window 1", 7, 6, 1)
    assert infeasible.unit == "chiplets"
    assert {field for _, field in infeasible.remedies} == {"inputs.hardware", "inputs.workload", "params.n_splits"}


def test_more_models_than_chiplets_where_a_model_may_start() -> None:
    infeasible = found(5)
    assert infeasible is not None
    assert (infeasible.limit, infeasible.demand, infeasible.bound) == ("start chiplets in window 1", 5, 4)
    assert "params.root_rule" in {field for _, field in infeasible.remedies}


def test_a_later_window_may_start_at_earlier_ends() -> None:
    # Two starts. Window 1 has one model, so that window 2 may count on three starts.
    row = package(1, 4)
    built = tables({"a": [[5, 5], [5, 5]], "b": [[9, 9], [9, 9]], "c": [[9, 9], [9, 9]]}, {"n_splits": 1}, on=row)
    windows = assign_windows(built, 1)
    assert find_infeasibility(built, windows) is not None  # three models in window 1


def test_uniform_packing_gives_windows_equal_numbers_of_layers() -> None:
    built = tables({"a": [[1, 9, 1, 1, 1], [1] * 5], "b": [[1] * 2] * 2}, {"packing": "uniform"})
    windows = assign_windows(built, 2)
    assert [[(r.model, r.first, r.end) for r in window] for window in windows] == [
        [(0, 0, 2), (1, 0, 1)], [(0, 2, 4), (1, 1, 2)], [(0, 4, 5)],
    ]  # fmt: skip
