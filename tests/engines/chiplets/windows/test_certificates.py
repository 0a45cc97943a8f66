from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.certificates import gap_percent, proof_results, window_proofs
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.contract.results import Note, Table
from tests.engines.chiplets.cases import tables

MODELS = {"a": [[3, 5, 2, 6], [6, 2, 4, 1]], "b": [[1, 4, 4], [3, 2, 2]]}


def results_of(**search):
    built = tables(MODELS, {"n_splits": 2}, batch=3)
    windows, goal = assign_windows(built, 2), Goal("edp")
    trajectory = search_greedily(built, windows, goal, **search)
    proofs = window_proofs(built, windows, trajectory, goal)
    table, note = proof_results(trajectory, proofs, goal)
    assert isinstance(table, Table) and isinstance(note, Note)
    return {column.title: column.values for column in table.table_columns}, note.text


def test_exact_windows_are_proven_and_have_no_gap() -> None:
    columns, text = results_of(search=search_window_exactly)
    assert set(columns["Proven optimal"]) == {"yes"}
    assert columns["Gap"] == pytest.approx(0)
    assert columns["States expanded"].min() > 0
    assert text.startswith("3 of 3 windows")


def test_greedy_windows_have_a_bound_and_no_proof() -> None:
    columns, text = results_of()
    assert set(columns["Proven optimal"]) == {"no"}
    assert (columns["Gap"] >= 0).all()
    assert np.isnan(columns["States expanded"]).all()
    assert text.startswith("0 of 3 windows") and "Each window starts" not in text


def test_gaps_are_of_the_bound_and_rounding_is_none() -> None:
    assert gap_percent(3.0, 2.0) == pytest.approx(50)
    assert gap_percent(1.0, 1.0 + 1e-12) == 0
    assert gap_percent(1.0, 0.0) == np.inf
    assert gap_percent(1.0, 2.0) == -50  # a wrong bound must show
