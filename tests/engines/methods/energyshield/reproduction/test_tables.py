"""Rows of the published results."""

import pytest

from engines.methods.energyshield.reproduction.driving import Experiment
from engines.methods.energyshield.reproduction.tables import constants, figure_6_6


def test_the_constants_of_the_code_are_ours() -> None:
    for row in constants():
        assert row.ours == pytest.approx(row.published, rel=1e-3), row.name


def test_rows_ask_for_the_runs_they_name() -> None:
    asked = []

    def look(case: Experiment) -> object:
        asked.append(case)
        return case.blank()

    rows = list(figure_6_6(look))
    assert len(rows) == 8
    assert {case.policy for case in asked} == {"eager", "uniform"}
    assert {case.shielded for case in asked} == {False, True}
