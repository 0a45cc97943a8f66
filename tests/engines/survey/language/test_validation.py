"""The validation: every measurement, errors of each board, and the baseline."""

from __future__ import annotations

import pytest

from engines.survey.language.stage_rates import builtin_fits
from engines.survey.language.validation import validation_groups, validation_rows


def test_errors_are_those_of_the_fits() -> None:
    groups = {(each.board, each.bits, each.stage): each for each in validation_groups()}
    for fit in builtin_fits():
        group = groups[fit.board, fit.bits, fit.stage]
        assert group.error_median == pytest.approx(fit.error_median, rel=1e-3)
        assert group.count == fit.rows


def test_the_baseline_misses_the_mixture_of_experts() -> None:
    rows = {(each.row.board, each.row.bits, each.row.slug): each for each in validation_rows() if each.row.stage == "decode"
            and each.row.stated}  # fmt: skip
    found = rows["rk3588", "w8a8", "deepseekocr-3b-a570m"]
    assert found.baseline_error is not None and found.prediction.error is not None
    assert 1 / (1 + found.baseline_error) == pytest.approx(3.4, abs=0.2)
    assert abs(found.prediction.error) < 0.15


def test_the_model_beats_the_baseline_on_rockchip() -> None:
    for group in validation_groups():
        if group.board in ("rk3588", "rk3576") and group.baseline_median is not None:
            assert group.error_median < group.baseline_median
