"""The exact front beside the front of all designs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.contract.fronts.non_dominated import non_dominated
from engines.methods.soc_mapping.language import front
from engines.methods.soc_mapping.language.problem import PreparedLanguageModel
from tests.engines.methods.soc_mapping.language.problems import SMALL, language_problem

_SMALL_SPACE = {"clock_steps": 2, "bits": "w8a8, w4a16", "cache_bits": "16, 8"}
_COLUMNS = {
    "first_token_s": "minimise",
    "decode_tokens_per_s": "maximise",
    "memory_bytes": "minimise",
    "energy_j": "minimise",
}


def _prepared(board: str = "jetson-agx-xavier", **params: Any) -> PreparedLanguageModel:
    return PreparedLanguageModel(language_problem(board, {**_SMALL_SPACE, **params}, SMALL))


def _points(prepared: PreparedLanguageModel, designs: Any) -> Any:
    columns = prepared.columns(designs)
    known = [name for name in _COLUMNS if not np.isnan(columns[name]).any()]
    matrix = np.column_stack([columns[name] for name in known])
    return matrix, non_dominated(matrix, [_COLUMNS[name] for name in known])  # type: ignore[misc]


@settings(max_examples=12, deadline=None)
@given(
    board=st.sampled_from(["jetson-agx-xavier", "rk3588", "jetson-tx2"]),
    prompt=st.integers(1, 2000),
    answer=st.integers(2, 500),
    copies=st.booleans(),
)
def test_front_equals_that_of_all_designs(board: str, prompt: int, answer: int, copies: bool) -> None:
    prepared = _prepared(board, prompt_tokens=prompt, answer_tokens=answer, copies=copies, bits="w8a8, w4a16")
    every = [design for design in prepared.space.every() if prepared.space.fits(design)]
    matrix, keep = _points(prepared, every)
    found, on_front = _points(prepared, prepared.kept.designs)
    np.testing.assert_allclose(_distinct(found[on_front]), _distinct(matrix[keep]), rtol=1e-8)


def _distinct(matrix: Any) -> Any:
    """Return the rows that differ by more than rounding, sorted."""
    rows = np.unique(matrix, axis=0)
    same = [False, *(bool(np.allclose(a, b, rtol=1e-8, atol=0)) for a, b in pairwise(rows))]
    return rows[~np.array(same)]


def test_a_run_of_many_designs_keeps_the_front_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, on_front = _points(_prepared(), _prepared().kept.designs)
    monkeypatch.setattr(front, "_MOST_SHOWN", 1)
    few, every = _points(_prepared(), _prepared().kept.designs)
    assert every.all() and len(few) == on_front.sum() < len(whole)


def test_size_counts_all_designs() -> None:
    for copies in (False, True):
        prepared = _prepared("rk3588", copies=copies)
        assert prepared.space.size == len(list(prepared.space.every()))


def test_proof_says_what_was_compared_and_what_it_leaves_out() -> None:
    strategy = _prepared("rk3588").strategy()
    text = strategy.proof(strategy.evaluations)
    assert f"{strategy.compared}" in text and "cut between units" in text and strategy.total > strategy.compared


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "MOST_COMBINATIONS", 10)
    with pytest.raises(ProblemError, match=r"params\.clock_steps.*at most 10 combinations"):
        _ = _prepared().kept
