"""One rule for every method: what a published value beside ours amounts to."""

from __future__ import annotations

import pytest

from engines.reproduction_verdicts import EXACT_WITHIN, VERDICTS, WITHIN, verdict_counts, verdict_of
from engines.reproductions import Comparison, Kind, compared


def a_row(kind: Kind, published: float, ours: float, ordering: bool | None = None) -> Comparison:
    return Comparison("A", "", published, ours, "x", kind, "a-2024", "Table 1", ordering)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (a_row("exact", 2.0, 2.0 * (1 + 0.9 * EXACT_WITHIN)), "exact"),
        (a_row("exact", 2.04, 2.04 * (1 + 2 * EXACT_WITHIN)), "differs"),
        (a_row("exact", 1.1, 1.06), "exact"),
        (a_row("exact", 1.1, 1.04), "differs"),
        (a_row("predicted", 2.0, 2.0 * WITHIN, True), "holds"),
        (a_row("predicted", 2.0, 2.0 / WITHIN), "holds"),
        (a_row("predicted", 2.0, 2.0 * WITHIN * 1.01, True), "differs"),
        (a_row("predicted", 1.1, 0.9, False), "differs"),
        (a_row("fitted", 2.0, 2.1), "fit only"),
        (a_row("fitted", 2.0, 4.0), "differs"),
        (a_row("predicted", 0.0, 0.0), "holds"),
        (a_row("predicted", 0.0, 0.1), "differs"),
        (a_row("predicted", -2.0, 2.0), "differs"),
        (a_row("predicted", float("nan"), 3.0, True), "holds"),
        (a_row("predicted", float("nan"), 3.0, False), "differs"),
        (a_row("predicted", float("nan"), 3.0), "no number"),
        (a_row("predicted", 2.0, float("nan")), "no number"),
    ],
)
def test_verdicts_follow_from_kind_ratio_and_side(row: Comparison, verdict: str) -> None:
    assert verdict_of(row) == verdict
    assert verdict_of(row, computed=False) == "not computed"


def test_verdicts_are_counted_under_the_first_reading_in_their_order() -> None:
    rows = [a_row("predicted", 2.0, 9.0), a_row("exact", 2.0, 2.0)]
    found = compared([Comparison(**{**vars(row), "name": str(number)}) for number, row in enumerate(rows)])
    assert list(verdict_counts(found, {found[0].first.key, found[1].first.key}).items()) == [
        ("exact", 1),
        ("differs", 1),
    ]
    assert verdict_counts(found, {found[1].first.key}) == {"exact": 1, "not computed": 1}


def test_tolerances_are_told() -> None:
    assert f"{100 * EXACT_WITHIN:g} %" in VERDICTS["exact"] and f"{WITHIN:g}" in VERDICTS["holds"]
