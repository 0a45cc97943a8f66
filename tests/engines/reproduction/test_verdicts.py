"""One rule for every method: what a published value beside ours amounts to."""

from __future__ import annotations

import pytest

from engines.reproduction.comparisons import AS_PRINTED_WITHIN, Comparison, Kind, compared
from engines.reproduction.verdicts import VERDICTS, WITHIN, headline_counts, verdict_counts, verdict_of


def a_row(
    kind: Kind, published: float, ours: float, ordering: bool | None = None, high: float | None = None, unit: str = "x"
) -> Comparison:
    return Comparison("A", "", published, ours, unit, kind, "a-2024", "Table 1", ordering, published_high=high)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (a_row("exact", 2.0, 2.0 * (1 + 0.9 * AS_PRINTED_WITHIN)), "exact"),
        (a_row("exact", 2.04, 2.04 * (1 + 2 * AS_PRINTED_WITHIN)), "differs"),
        (a_row("exact", 1.1, 1.06), "exact"),
        (a_row("exact", 1.1, 1.04), "differs"),
        (a_row("predicted", 2.0, 2.0 * WITHIN, True, unit="ms"), "holds"),
        (a_row("predicted", 2.0, 2.0 / WITHIN, unit="ms"), "holds"),
        (a_row("predicted", 2.0, 2.0 * WITHIN * 1.01, True, unit="ms"), "differs"),
        (a_row("predicted", 1.25, 1.0), "differs"),  # a gain of a quarter is not none
        (a_row("predicted", 1.25, 1.0, unit="ms"), "holds"),
        (a_row("predicted", 1.25, 1.25**0.81), "holds"),
        (a_row("predicted", 1.25, 1.25**1.24), "holds"),
        (a_row("predicted", 1.25, 1.25**1.26), "differs"),
        (a_row("predicted", 0.75, 0.75**0.81), "holds"),  # told the other way round
        (a_row("predicted", 0.75, 0.75**0.79), "differs"),
        (a_row("predicted", 1.04, 1.036), "holds"),  # the printed digits
        (a_row("predicted", 9.0, 9.0 * WITHIN * 1.01), "differs"),
        (a_row("predicted", 1.0, 1.1), "holds"),
        (a_row("predicted", 1.1, 0.9, False), "differs"),
        (a_row("fitted", 2.0, 2.1), "fit only"),
        (a_row("fitted", 2.0, 4.0), "differs"),
        (a_row("predicted", 0.0, 0.0), "holds"),
        (a_row("predicted", 0.0, 0.1), "differs"),
        (a_row("predicted", -2.0, 2.0), "differs"),
        (a_row("predicted", float("nan"), 3.0, True), "same side"),
        (a_row("exact", float("nan"), 3.0, True), "same side"),
        (a_row("predicted", float("nan"), 3.0, False), "differs"),
        (a_row("predicted", float("nan"), 3.0), "no number"),
        (a_row("predicted", 2.0, float("nan")), "no number"),
        (a_row("arithmetic", 2.0, 2.0), "arithmetic"),
        (a_row("arithmetic", 2.0, 9.0, False), "arithmetic"),
        (a_row("predicted", 23.5, 23.4, high=53.7), "differs"),
        (a_row("predicted", 23.5, 23.5, high=53.7), "holds"),
        (a_row("predicted", 23.5, 53.7, True, high=53.7), "holds"),
        (a_row("predicted", 23.5, 53.8, True, high=53.7), "differs"),
        (a_row("predicted", 23.5, 40.0, False, high=53.7), "differs"),
        (a_row("fitted", 23.5, 40.0, high=53.7), "fit only"),
        (a_row("predicted", 23.5, float("nan"), high=53.7), "no number"),
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


def test_arithmetic_on_published_figures_is_not_among_what_stands_for_a_method() -> None:
    rows = [a_row("arithmetic", 2.0, 2.0), a_row("exact", 2.0, 2.0), a_row("arithmetic", 3.0, 3.0)]
    found = compared([Comparison(**{**vars(row), "name": str(number)}) for number, row in enumerate(rows)])
    every = {each.first.key for each in found}
    assert verdict_counts(found, every) == {"exact": 1, "arithmetic": 2}
    assert headline_counts(found, every) == {"exact": 1} and headline_counts(found, ()) == {"not computed": 1}


def test_tolerances_are_told() -> None:
    assert f"{100 * AS_PRINTED_WITHIN:g} %" in VERDICTS["exact"] and f"{WITHIN:g}" in VERDICTS["holds"]
