"""What rows declare must not contradict what is printed."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import pytest

from engines.reproduction.declarations import checked_rows
from engines.reproduction.rows import PublishedRow, row


def a_printed(value: float, unit: str = "", high: float | None = None, name: str = "t1.a") -> PublishedRow:
    return PublishedRow("a-2024", value, unit, "Table 1", (name,), high)


def test_the_test_follows_from_what_is_printed() -> None:
    found = [
        row("Value", a_printed(2.0, "ms"), 2.0, "T"),
        row("Ratio", a_printed(2.0, "x"), 2.0, "T"),
        row("Range", a_printed(2.0, "x", 3.0), 2.0, "T"),
        row("Difference", a_printed(2.0, "%"), 2.0, "T", baseline=0),
        row("Side of a ratio", a_printed(nan, "x"), 2.0, "T", same_side=True),
        row("No side", a_printed(nan), 2.0, "T"),
    ]
    assert [(each.test, each.baseline) for each in found] == [
        ("value", None), ("effect", 1.0), ("range", None), ("effect", 0), ("trend", 1.0), ("value", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("printed", "declared", "rule"),
    [
        (a_printed(2.0), {"test": "trend", "baseline": 0}, "no trend"),
        (a_printed(nan), {"same_side": True}, "needs the baseline"),
        (a_printed(2.0), {"test": "effect"}, "needs its baseline"),
        (a_printed(2.0, high=3.0), {"test": "value"}, "tested as a range"),
        (a_printed(2.0), {"test": "range"}, "two published ends"),
        (a_printed(80.0, "%"), {}, "percentage near 100"),
        (a_printed(-93.0, "%"), {"kind": "fitted"}, "percentage near 100"),
        (a_printed(125.0, "%"), {"kind": "cross-check"}, "percentage near 100"),
    ],
)
def test_contradictions_are_refused_with_the_row(printed: PublishedRow, declared: dict[str, object], rule: str) -> None:
    with pytest.raises(ValueError, match=rule) as refused:
        row("Accuracy", printed, 2.0, "Table 1", **declared)  # type: ignore[arg-type]
    assert "'Accuracy' of a-2024" in str(refused.value)


def test_a_percentage_near_100_is_a_share_a_gain_or_not_counted() -> None:
    for declared in ({"baseline": 100}, {"baseline": 0}, {"test": "at least"}, {"kind": "arithmetic"}):
        row("Share", a_printed(97.0, "%"), 96.0, "T", **declared)  # type: ignore[arg-type]
    row("Far from it", a_printed(79.0, "%"), 96.0, "T")


def test_one_printed_fact_is_counted_once() -> None:
    one, other = row("A", a_printed(2.0), 2.0, "T"), row("B", a_printed(2.0), 3.0, "T")
    with pytest.raises(ValueError, match="'A' states the same published fact: declare one of them 'repeated'"):
        checked_rows([one, other])
    for second in (
        replace(other, kind="repeated"), replace(other, kind="arithmetic"), replace(other, sources=("t1.b",)),
        replace(other, anchor="b-2024"), replace(one, reading="second", ours=3.0),
    ):  # fmt: skip
        assert checked_rows([one, second]) == (one, second)
