"""Assumed accuracies."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.hadas.accuracy import backbone_percent, exit_accuracies, published_correlation
from engines.search.ends.correctness import CorrelatedCorrectness, union_accuracy


def test_the_line_goes_through_the_printed_networks() -> None:
    assert backbone_percent(201e6) == pytest.approx(86.28)
    assert backbone_percent(1937e6) == pytest.approx(88.43)
    assert backbone_percent(203.4e6) == pytest.approx(86.33, abs=0.1)  # a0, Table 2.2
    assert backbone_percent(709e6) == pytest.approx(88.23, abs=0.8)  # a6: the decided tolerance


def test_accuracy_rises_with_the_work_before_an_exit() -> None:
    found = exit_accuracies(0.9, np.array([0.25, 0.5, 1.0]), 4.0)
    assert found == pytest.approx([0.9 * (1 - np.exp(-1)), 0.9 * (1 - np.exp(-2)), 0.9])


def test_ends_go_together_as_much_as_table_2_2_says() -> None:
    work = (0.3, 0.5, 0.7, 1.0)
    correlation = published_correlation(work, 4.0)
    accuracies = exit_accuracies(0.8633, np.array(work), 4.0)
    union = union_accuracy(CorrelatedCorrectness(accuracies, correlation), np.ones((1, 4)))
    assert union == pytest.approx([0.8995], abs=1e-4)
