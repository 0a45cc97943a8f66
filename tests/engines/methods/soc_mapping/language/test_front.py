"""The exact front beside the front of all designs."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.errors import DecisionError, ProblemError
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.results import Schedule, Table
from engines.methods.soc_mapping.language import front
from engines.methods.soc_mapping.language.problem import PreparedLanguageModel
from hardware.bits import bit_widths
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


_SLIDING = {
    **SMALL,
    "model_type": "gemma2",
    "head_dim": 128,
    "sliding_window": 64,
    "num_hidden_layers": 4,
    "query_pre_attn_scalar": 128,
}
_CUT = {"granularity": "blocks", "bits": "w8a8", "cache_bits": "16"}


@pytest.mark.parametrize(
    ("board", "configuration", "params"),
    [
        ("jetson-agx-xavier", SMALL, {}),
        ("jetson-agx-xavier", _SLIDING, {"prompt_tokens": 900, "clocks": "fixed"}),
        ("jetson-tx2", SMALL, {"clocks": "fixed"}),
        ("rk3588", SMALL, {"bits": "w8a8, w4a16", "clocks": "fixed", "cache_bits": "16, 8"}),
        ("rk3588", SMALL, {"bits": "w8a8, w4a16", "clocks": "fixed", "copies": False}),
    ],
)
def test_front_over_cuts_equals_that_of_all_cuts(board: str, configuration: Any, params: dict[str, Any]) -> None:
    prepared = PreparedLanguageModel(language_problem(board, {**_SMALL_SPACE, **_CUT, **params}, configuration))
    every = list(prepared.space.every())
    assert len(every) == prepared.space.size
    matrix, keep = _points(prepared, [design for design in every if prepared.space.fits(design)])
    found, on_front = _points(prepared, prepared.kept.designs)
    np.testing.assert_allclose(_distinct(found[on_front]), _distinct(matrix[keep]), rtol=1e-8)
    assert all(prepared.decode(prepared.encode(design)) == design for design in (*prepared.kept.designs, *every[-50:]))


def test_no_order_of_equal_blocks_on_two_units_beats_one_cut() -> None:
    prepared = _prepared(**_CUT, clocks="fixed")
    costs, found = prepared.costs, _points(prepared, prepared.kept.designs)[0]
    one = {each.unit: each for each in costs.settings}
    tokens = prepared.params.answer_tokens - 1
    back_s, back_j = costs.transfer(0.0)

    def stage(name: Any, units: tuple[str, ...]) -> tuple[float, float]:
        parts = [costs.cost(name, one[unit], 16.0, (at, at + 1)) for at, unit in enumerate(units)]
        on_s, on_j = costs.transfer(costs.stages.handed_bytes(name, bit_widths("w8a8")))
        changes = (tokens if name == "decode" else 1) * sum(a != b for a, b in pairwise(units))
        backs = tokens * (name == "decode" and units[0] != units[-1])
        seconds = sum(each.seconds for each in parts) + changes * on_s + backs * back_s
        return seconds, sum(each.energy_j for each in parts) + changes * on_j + backs * back_j

    orders = {name: {units: stage(name, units) for units in product(one, repeat=4)} for name in ("prefill", "decode")}
    for (first, (first_s, first_j)), (then, (then_s, then_j)) in product(*(each.items() for each in orders.values())):
        elements = zip(costs.stages.prompt_elements, first, then, strict=True)
        moved_s, moved_j = costs.prompt_transfer(sum(size for size, a, b in elements if a != b), 16.0)
        values = [first_s, -tokens / (then_s + moved_s), found[0, 2], first_j + then_j + moved_j]
        assert (found * [1, -1, 1, 1] <= np.array(values) * [1 + 1e-9, 1 - 1e-9, 1, 1 + 1e-9]).all(axis=1).any()


def test_results_of_a_cut_stage_say_its_parts() -> None:
    prepared = _prepared(**_CUT)
    design = next(each for each in prepared.kept.designs if each.cuts)
    (cut,), results = design.cuts, prepared.explain(design, None)  # type: ignore[arg-type]  it needs no context
    title = f"{cut.stage.capitalize()}, blocks {cut.blocks + 1} to 4"
    (stages,) = (each for each in results if isinstance(each, Table))
    assert title in stages.table_columns[0].values
    (schedule,) = (each for each in results if isinstance(each, Schedule))
    assert schedule.windows[0].end_s == pytest.approx(prepared.columns([design])["latency_s"][0])
    decision = prepared.encode(design)
    for change, field in (
        ({"blocks": {cut.stage: 4}}, "blocks"),
        ({"units": dict.fromkeys(decision["units"], "gpu"), "unit_mhz": {}}, "units"),
    ):
        with pytest.raises(DecisionError, match=rf"decision\.{field}\.{cut.stage}"):
            prepared.decode({**decision, **change})
    assert "at most one cut" in prepared.strategy().proof(1)


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
