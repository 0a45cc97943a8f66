"""Printed figures put together."""

from __future__ import annotations

import pytest

from engines.methods.map_and_conquer.reproduction.published_tables import arithmetic, fitted_accuracy


def test_printed_ratios_follow_from_the_table() -> None:
    ours = {row.name: row.ours for row in arithmetic()}
    assert ours["Configurations of one layer"] == 153_600
    assert ours["Evaluations"] == 12_000
    assert ours["VGG19: most energy gained over the GPU"] == pytest.approx(4.62, abs=0.005)
    assert ours["Visformer: energy saved compared with the DLA"] == pytest.approx(14.46, abs=0.005)


def test_nothing_that_tests_nothing_of_ours_is_counted() -> None:
    assert {row.kind for row in arithmetic()} == {"arithmetic"}
    assert {row.kind for row in fitted_accuracy()} == {"fitted"}


def test_every_printed_share_of_reuse_is_a_multiple() -> None:
    shares = [row for row in arithmetic() if "multiple" in row.name]
    assert len(shares) == 12
    assert all(abs(row.ours - row.published) < 0.02 for row in shares)
