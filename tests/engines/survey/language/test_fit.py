"""Fits of rates: planted rates come back, models left out stay out, and the errors of the fits that ship are those of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.survey.language.fit import Features, fit_rates, predictions, stage_fits
from engines.survey.language.measurements import (
    language_measurements,
    measured_models,
    not_predicted,
    shape_of,
)
from engines.survey.language.stage_rates import StageRates, builtin_fits
from tools.fit_language_rates import fits_text

FEATURES: list[Features] = [
    (3e8, 170, 0), (6e8, 200, 0), (1.1e9, 155, 0), (1.6e9, 197, 0), (2.7e9, 183, 0), (6e9, 197, 0), (4e9, 500, 0),
    (7.5e8, 190, 4.7e6), (1.9e9, 190, 4.7e6), (4.2e9, 250, 1.26e7), (1.5e9, 340, 3.1e6),
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.floats(1e9, 1e12), st.floats(1e-6, 1e-3), st.floats(1e8, 1e10))
def test_planted_rates_come_back(amount_per_s: float, matrix_s: float, state_per_s: float) -> None:
    planted = StageRates(amount_per_s, matrix_s, state_per_s)
    seconds = [planted.seconds_per_token(*each) for each in FEATURES]
    found = fit_rates(FEATURES, seconds)
    assert [found.seconds_per_token(*each) for each in FEATURES] == pytest.approx(seconds, rel=1e-3)


def test_one_wrong_measurement_moves_a_fit_little() -> None:
    planted = StageRates(3e10, 4e-5, 1.5e9)
    seconds = [planted.seconds_per_token(*each) for each in FEATURES]
    found = fit_rates(FEATURES, [5 * seconds[0], *seconds[1:]])
    assert found.amount_per_s == pytest.approx(planted.amount_per_s, rel=0.05)


def test_a_fit_without_recurrent_models_knows_no_rate_of_states() -> None:
    found = fit_rates(FEATURES[:4], [1.0, 2.0, 3.0, 4.0])
    assert found.state_per_s is None
    with pytest.raises(ValueError, match="measurement"):
        fit_rates([], [])


@pytest.mark.parametrize("slug", ["qwen3-0-6b", "qwen3-5-0-8b"])
def test_a_poisoned_model_does_not_reach_its_own_predictions(slug: str) -> None:
    rows = language_measurements()
    poisoned = [
        replace(each, seconds_per_token=1e3 * each.seconds_per_token) if shape_of(each.slug) == slug else each
        for each in rows
    ]
    before, after = predictions(rows), predictions(poisoned)
    own = [at for at, each in enumerate(rows) if shape_of(each.slug) == slug and not not_predicted(each)]
    assert len(own) > 5
    assert [after[at].seconds_per_token for at in own] == [before[at].seconds_per_token for at in own]
    assert before != after


def test_no_prediction_uses_the_measured_memory() -> None:
    rows = language_measurements()
    without = [replace(each, memory_mb=None) for each in rows]
    assert [each.seconds_per_token for each in predictions(without)] == [
        each.seconds_per_token for each in predictions(rows)
    ]


def test_models_of_one_shape_are_left_out_together() -> None:
    assert shape_of("qwen2-vl-2b") == shape_of("qwen2-5-1-5b") == "qwen2-5-1-5b"


def test_the_fits_that_ship_are_those_of_the_table() -> None:
    from engines.survey.language.stage_rates import FITS

    assert FITS.read_text(encoding="utf-8") == fits_text()


def test_decode_errors_of_models_left_out() -> None:
    decode = {(each.board, each.bits): each for each in builtin_fits() if each.stage == "decode"}
    for key in (("rk3588", "w8a8"), ("rk3576", "w4a16"), ("rk3576", "w4a16-g128"), ("rk3576", "w8a8")):
        assert decode[key].error_median <= 0.05 and decode[key].error_worst <= 0.2
    assert decode["snapdragon-8-elite", "w4a16"].error_median <= 0.15


def test_boards_with_few_models_have_no_fit() -> None:
    rows = [
        each for each in language_measurements() if each.board == "rk3588" and each.slug in ("gemma2-2b", "qwen3-0-6b")
    ]
    assert stage_fits(rows) == ()
    assert {each.reason for each in predictions(rows)} == {
        "Too few other models were measured on this board in these bits."
    }


def test_each_measurement_is_predicted_or_says_why_not() -> None:
    for each in predictions():
        assert (each.seconds_per_token is None) == bool(each.reason)
    stated = {each.row.bits: each.reason for each in predictions() if each.row.bits == "w4"}
    assert stated == {"w4": "The source does not state the bits of activations."}


def test_the_shapes_of_measured_models_are_theirs() -> None:
    published = {
        "qwen3-0-6b": 596_049_920,
        "chatglm3-6b": 6_243_584_000,
        "llama-3-8b": 8_030_261_248,
        "gemma2-2b": 2_614_341_888,
    }
    models = measured_models()
    assert {slug: models[slug].parameters() for slug in published} == published
