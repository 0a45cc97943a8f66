"""What ours takes from the publication."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.reproduction.published import fitted_loss_points, missing_of, problem_of


def test_what_width_is_worth_lies_between_the_two_models() -> None:
    each = [(88.09 - 87.58) / missing_of(61.25), (88.09 - 84.16) / missing_of(50.0)]
    assert min(each) < fitted_loss_points() < max(each)


def test_everything_reused_leaves_nothing_missing() -> None:
    assert missing_of(np.array([100.0, 0.0])) == pytest.approx([0.0, 0.75**1.5])


def test_problems_have_the_printed_accuracy_and_limit() -> None:
    params = problem_of("vgg19", 50.0).params.model_dump()
    assert (params["base_accuracy_percent"], params["reuse_most_percent"]) == (80.55, 50.0)
