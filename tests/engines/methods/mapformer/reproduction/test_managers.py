"""What stands beside the publication."""

import pytest

from engines.methods.mapformer.reproduction.managers import RIVALS, GoodShare, Rivals, arithmetic, rivals
from engines.reproduction.frame import Case


def no_runs(case: Case[object]) -> object:
    return case.blank()


def test_printed_ratios_follow_from_the_table() -> None:
    ours = {row.name: row.ours for row in arithmetic(no_runs)}  # type: ignore[arg-type]
    assert ours["Parameters, encoder alone over MapFormer"] == pytest.approx(1122.2, abs=0.05)
    assert ours["Parameters, mapformer"] == 4 * 49_984
    assert {row.kind for row in arithmetic(no_runs)} == {"arithmetic"}  # type: ignore[arg-type]


def test_rivals_are_set_beside_each_other_by_what_is_left_of_the_improvement() -> None:
    """MapFormer is 76.4 % above MOSAIC and 52.8 % above the GA: the GA has 47.2 / 23.6 of MOSAIC's efficiency."""
    rows = {row.name: row for row in rivals(no_runs)}  # type: ignore[arg-type]
    assert rows["6 networks: inferences per joule of GA over MOSAIC"].published == pytest.approx(2.0)
    assert len(rows) == 12


def test_every_rival_is_worth_something() -> None:
    pytest.importorskip("torch")
    found = Rivals(2, 15.0, 1).run()
    assert set(found) == set(RIVALS) and all(value > 0 for value in found.values())


def test_good_mappings_are_few() -> None:
    assert 0 < GoodShare(8, 100, 16).run() < 50
