"""One rule for every method: what a published value beside ours amounts to, by kind and test of its row."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import Any

import pytest

from engines.reproduction.comparisons import AS_PRINTED_WITHIN, Comparison, Kind, compared
from engines.reproduction.reproductions import listed, reproducible_engines
from engines.reproduction.verdicts import (
    NOT_COUNTED,
    VERDICTS,
    WITHIN,
    Verdict,
    fact_of,
    headline_counts,
    verdict_counts,
    verdict_of,
)


def a_row(kind: Kind, published: float, ours: float, ordering: bool | None = None, **more: Any) -> Comparison:
    facts = {"unit": "ms", "reason": "Another device.", **more}
    return Comparison("A", "", published, ours, facts.pop("unit"), kind, "a-2024", "Table 1", ordering, **facts)


def a_ratio(published: float, ours: float, ordering: bool | None = None) -> Comparison:
    return a_row("predicted", published, ours, ordering, unit="x", test="effect", baseline=1.0)


def a_share(published: float, ours: float, baseline: float = 100) -> Comparison:
    return a_row("predicted", published, ours, unit="%", test="effect", baseline=baseline)


def a_trend(ours: float, side: bool, **more: Any) -> Comparison:
    return a_row("predicted", nan, ours, side, test="trend", **{"baseline": 1.0, **more})


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (a_row("exact", 2.0, 2.0 * (1 + 0.9 * AS_PRINTED_WITHIN)), "agrees"),
        (a_row("exact", 2.04, 2.04 * (1 + 2 * AS_PRINTED_WITHIN)), "differs (explained)"),
        (a_row("exact", 1.1, 1.06), "agrees"),
        (a_row("exact", 1.1, 1.04), "differs (explained)"),
        (a_row("predicted", 2.0, 2.0 * WITHIN, True), "agrees"),
        (a_row("predicted", 2.0, 2.0 / WITHIN), "agrees"),
        (a_row("predicted", 2.0, 2.0 * WITHIN * 1.01, True), "differs (explained)"),
        (a_row("predicted", 2.0, 4.0, reason=""), "differs (unexplained)"),
        (a_row("predicted", 1.1, 1.05, False), "differs (explained)"),
        (a_row("predicted", -2.0, 2.0), "differs (explained)"),
        (a_row("predicted", 2.0, nan), "not comparable"),
        (a_row("predicted", 0.0, 0.0), "not comparable"),  # a zero has no ratio
        (a_row("predicted", nan, 3.0), "not comparable"),
        # Effects: near the baseline the value itself cannot differ.
        (a_share(93, 100), "differs (explained)"),
        (a_share(93, 93.4), "agrees"),  # the printed digits
        (a_share(93, 92.0), "agrees"),
        (a_share(83, 92.99), "differs (explained)"),
        (a_share(100, 100), "agrees"),
        (a_share(100, 99.0), "differs (explained)"),
        (a_share(1.9, 1.19, 0), "differs (explained)"),
        (a_share(0.0, 0.2, 0), "agrees"),
        (a_share(0.0, 0.7, 0), "differs (explained)"),
        (a_share(20.0, 30.0), "differs (explained)"),  # the values must be near as well
        (a_ratio(1.25, 1.0), "differs (explained)"),  # a gain of a quarter is not none
        (a_ratio(1.25, 1.25**0.81), "agrees"),
        (a_ratio(1.25, 1.25**1.26), "differs (explained)"),
        (a_ratio(0.75, 0.75**0.81), "agrees"),  # told the other way round
        (a_ratio(1.04, 1.036), "agrees"),  # the printed digits
        (a_ratio(9.0, 9.0 * WITHIN * 1.01), "differs (explained)"),
        (a_ratio(1.0, 1.4), "differs (explained)"),
        (a_ratio(1.5, -0.5), "differs (explained)"),
        # Bounds and ranges.
        (a_row("predicted", 97, 96.655, test="at least"), "differs (explained)"),
        (a_row("predicted", 97, 97.1, test="at least"), "agrees"),
        (a_row("predicted", 97, 400.0, test="at least"), "agrees"),
        (a_row("predicted", 10, 10.54, test="at most"), "differs (explained)"),
        (a_row("predicted", 10, 0.3, test="at most"), "agrees"),
        (a_row("predicted", 1, 1.6, test="at most", elsewhere=3.0), "undecided"),
        (a_row("predicted", 23.5, 23.4, published_high=53.7, test="range"), "differs (explained)"),
        (a_row("predicted", 23.5, 53.7, True, published_high=53.7, test="range"), "agrees"),
        (a_row("predicted", 23.5, 40.0, False, published_high=53.7, test="range"), "differs (explained)"),
        # What was used.
        (a_row("fitted", 2.0, 2.1), "fitted"),
        (a_row("chosen", 2.0, 2.1), "fitted"),
        (a_row("fitted", 2.0, 4.0), "differs (explained)"),
        # Trends.
        (a_trend(3.0, True), "same direction"),
        (a_trend(0.3, False), "opposite direction"),
        (a_trend(1.2, True, elsewhere=0.3), "undecided"),
        (a_trend(1.2, True, elsewhere=0.1), "same direction"),
        (a_trend(1.2, True, seeds=(0.9, 1.5)), "undecided"),
        (a_trend(1.2, True, seeds=(1.0, 1.5)), "undecided"),
        (a_trend(1.2, True, seeds=(1.1, 1.3)), "same direction"),
        (a_trend(0.8, False, seeds=(0.7, 1.2)), "undecided"),
        # Values of networks that were trained: every seed has to agree.
        (a_row("predicted", 10.0, 9.0, seeds=(7.9, 10.1)), "undecided"),
        (a_row("predicted", 10.0, 7.9, seeds=(7.5, 8.3)), "differs (explained)"),
        (a_row("predicted", 10.0, 9.0, seeds=(8.1, 9.9)), "agrees"),
        (a_row("predicted", 10.0, 5.0, seeds=(4.0, 6.0)), "differs (explained)"),
        # Simulators that were run for this product.
        (a_row("cross-check", 2.0, 2.1), "cross-check agrees"),
        (a_row("cross-check", 2.0, 4.0), "cross-check differs"),
        *[(a_row(kind, 2.0, ours, False), "not counted") for kind in NOT_COUNTED for ours in (2.0, 9.0)],
    ],
)
def test_verdicts_follow_from_kind_and_test(row: Comparison, verdict: Verdict) -> None:
    assert verdict_of(row) == verdict
    assert verdict_of(row, computed=False) == "not computed"


def test_verdicts_are_counted_by_what_a_row_states() -> None:
    rows = [
        a_row("predicted", 2.0, 9.0), a_row("exact", 2.0, 2.0), a_row("cross-check", 2.0, 2.0), a_row("arithmetic", 3.0, 3.0),
        a_trend(3.0, True),
    ]  # fmt: skip
    found = compared([replace(row, name=str(number)) for number, row in enumerate(rows)])
    every = {each.first.key for each in found}
    assert list(verdict_counts(found, every).items()) == [
        ("agrees", 1), ("differs (explained)", 1), ("same direction", 1), ("cross-check agrees", 1), ("not counted", 1),
    ]  # fmt: skip
    assert headline_counts(found, every) == {"agrees": 1, "differs (explained)": 1, "same direction": 1}
    assert headline_counts(found, ()) == {"not computed": 3}
    assert verdict_counts(found, every, "value") == {"agrees": 1, "differs (explained)": 1}
    assert verdict_counts(found, every, "cross-check") == {"cross-check agrees": 1}
    assert [fact_of(row) for row in rows] == ["value", "value", "cross-check", "none", "trend"]


def test_tolerances_are_told() -> None:
    assert f"{100 * AS_PRINTED_WITHIN:g} %" in VERDICTS["agrees"] and f"{WITHIN:g}" in VERDICTS["agrees"]


@pytest.mark.parametrize("engine", reproducible_engines())
def test_a_row_near_its_baseline_can_differ(engine: str) -> None:
    """No effect at all must never pass for a published one."""
    effects = [
        row
        for row in listed(engine)
        if row.test == "effect" and fact_of(row) == "value" and row.baseline != row.published
    ]
    none = [replace(row, ours=float(row.baseline or 0), ordering=None) for row in effects]
    assert [row.name for row in none if verdict_of(row) in ("agrees", "fitted") and not row.in_printed_digits] == []


def test_what_a_simulator_of_this_product_gives_is_a_cross_check() -> None:
    kinds = {row.kind for row in listed("neksus") if row.anchor.startswith("booksim")}
    assert kinds == {"cross-check", "repeated"}


@pytest.mark.parametrize(
    ("engine", "name", "kind", "test"),
    [
        ("seesaw", "Share of the sensor fusion (10 mW) in the mean power", "arithmetic", "value"),
        ("seesaw", "Life of the commercial tracker, the receiver alone", "arithmetic", "at most"),
        ("seesaw", "Share of the processor: its published powers together over the mean power", "arithmetic", "value"),
        ("hadas", "Steps of the GPU clock, AGX", "constant", "value"),
        ("hadas", "a0: accuracy without exits", "fitted", "effect"),
        ("scar", "U-Net, layers", "constant", "value"),
        ("privynas", "VGG11 after the third pooling: epsilon at b = 0.5", "arithmetic", "value"),
        ("myml", "Largest entropy of five classes", "arithmetic", "value"),
        ("energyshield", "K of sigma 0.28", "arithmetic", "value"),
        ("energyshield", "Energy with a queue of 50 ms", "predicted", "effect"),
        ("energyshield", "Large values of Delta_max", "predicted", "range"),
        ("duet", "RM1 and RM2: share of the datacentre, mean", "predicted", "at least"),
        ("duet", "RM1 and RM2: share of the device, mean", "repeated", "value"),
        ("duet", "RM2: item share of embedding time", "constant", "value"),
        ("neksus", "Table 6.8: cost of the package, the monolithic die being 1", "repeated", "value"),
        ("neksus", "Bandwidth of the crossbar, within that of star", "predicted", "at most"),
        ("split-computing", "Least bandwidth, 2 offloaded", "chosen", "value"),
        ("split-computing", "DRL, threshold 0.98: mAP above R-agnostic, in the car", "predicted", "effect"),
    ],
)
def test_rows_are_declared_as_what_they_are(engine: str, name: str, kind: Kind, test: str) -> None:
    rows = [row for row in listed(engine) if row.name == name]
    assert {(row.kind, row.test) for row in rows} == {(kind, test)}
