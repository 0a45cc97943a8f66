"""Published values beside computed ones: what an independent check of the paper found must come out again."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite, isnan

import pytest

from engines.methods.magnas.reproduction import accelerators, searches
from engines.methods.magnas.search.accelerators import AS_MAESTRO, KEPT, OFF_CHIP, OFF_CHIP_KEPT, accelerator_costs
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import comparisons_of, parts_of, readings_of
from engines.reproduction.verdicts import verdict_of
from engines.running.executor import InPlaceExecutor


@pytest.fixture(scope="module")
def quick() -> list[Comparison]:
    return list(comparisons_of("magnas", quick=True))


@pytest.fixture(scope="module")
def by_name(quick: list[Comparison]) -> dict[tuple[str, str], Comparison]:
    return {(row.group.partition(":")[0], row.name): row for row in quick}


@pytest.mark.long
def test_every_row_has_its_place_and_a_reason_where_it_differs(quick: list[Comparison]) -> None:
    assert {row.kind for row in quick} == {"arithmetic", "fitted", "predicted"}
    for row in quick:
        assert row.where and row.group and isfinite(row.ours)
        assert row.reading in ("", *readings_of("magnas"))
        if isfinite(row.published) and not row.as_printed and row.kind != "arithmetic":
            assert row.why, row.name


def test_every_row_can_be_stored(quick: list[Comparison]) -> None:
    assert json.dumps([asdict(row) for row in quick])


@pytest.mark.long
def test_every_row_that_is_computed_can_be_stored(quick: list[Comparison]) -> None:
    computed = [part for part in parts_of("magnas") if part.title.startswith("Figures 9 and 10")]
    rows = [*quick, *[row for part in computed for row in part.computed({}, InPlaceExecutor())]]
    assert (
        len(rows) > len(quick)
        and {row.reading for row in rows} >= set(accelerators.DEVICES)
        and json.dumps([asdict(row) for row in rows])
    )


def test_the_sixteen_totals_of_table_2_are_fitted_within_15_percent(quick: list[Comparison]) -> None:
    rows = [row for row in quick if row.group.startswith("Table 2: baselines")]
    assert len(rows) == 16 and {row.kind for row in rows} == {"fitted"}
    assert all(abs(row.ratio - 1) < 0.15 for row in rows)


def test_figures_of_the_paper_put_together_are_no_result_of_ours(quick: list[Comparison]) -> None:
    rows = [row for row in quick if row.kind == "arithmetic"]
    assert len(rows) == 4 + 3 + 7 + 2  # averages and accuracies of Table 2, changes and shares of Table 3
    apart = [row for row in rows if row.ours != pytest.approx(row.published, rel=0.002)]
    assert {row.name for row in apart if row.ours != pytest.approx(row.published, rel=0.02)} == {
        "Mean accuracy below b0, points",
        "Oxford-Flowers: accuracy with EdgeConv above max-relative, relative",
    }
    assert all(row.why or row.ratio == pytest.approx(1, abs=0.05) for row in apart)


def test_more_changes_of_unit_save_energy_at_equal_latency(by_name: dict[tuple[str, str], Comparison]) -> None:
    group = "Table 3"
    effects = [
        by_name[group, f"{words}: energy above that with any number"]
        for words in ("No change", "At most 1 change", "At most 2 changes")
    ]
    none, one, two = (row.ours for row in effects)
    assert none > one > two > 0
    assert [round(row.published, 1) for row in effects] == [38.1, 14.7, 11.3]
    assert all(verdict_of(row) == "differs (explained)" and row.ordering is None and row.why for row in effects)
    gap = by_name[group, "Energy of the published mapping over the least at its latency"]
    assert isnan(gap.published) and 1 <= gap.ours < 1.02


def test_what_the_joint_front_is_made_of_lies_outside_of_the_published_range() -> None:
    (part,) = [part for part in parts_of("magnas") if part.title == "Figure 5"]
    rows = {row.name: row for row in part.computed({}, InPlaceExecutor())}
    assert "Hypervolume gained over DLA alone" not in rows  # a superset has never less
    share = rows["Distributed mappings on the joint front"]
    assert (share.published, share.published_high, share.ordering) == (23.5, 53.7, None)
    assert share.ours > 90 and verdict_of(share) == "differs (explained)" and share.why


@pytest.mark.parametrize(("bow", "agrees"), [(0.0069, False), (0.05, True), (-0.05, False)])
def test_a_bow_that_nobody_sees_is_no_stronger_convexity(
    monkeypatch: pytest.MonkeyPatch, bow: float, agrees: bool
) -> None:
    bows = iter((0.5, 0.5 + bow))
    monkeypatch.setattr(searches, "_bow", lambda _: next(bows))
    rows = {row.name: row for row in searches.figure_8(lambda case: case.blank())}
    assert rows["Bow of the pyramid's front above the isotropic one's"].ordering is agrees


def test_shares_fall_as_latency_is_allowed_to_rise(quick: list[Comparison]) -> None:
    rows = [row for row in quick if row.name.startswith("Latency at most")]
    ours = [row.ours for row in rows]
    assert len(rows) == 7 and ours == sorted(ours, reverse=True)
    # The check of the paper by other costs per block found the same rule within 0.05; this calibration is off at 20 to 60 %.
    assert all(abs(row.ours - row.published) < 0.17 for row in rows)


@pytest.mark.parametrize(
    ("device", "low", "high"), [(AS_MAESTRO, 3, 4), (KEPT, 1.25, 1.4), (OFF_CHIP, 1.6, 1.8), (OFF_CHIP_KEPT, 1.1, 1.2)]
)
def test_mapping_to_three_accelerators_beats_the_output_stationary_one(device, low, high) -> None:
    costs = accelerator_costs("blocks", device)
    front = searches.FrontSearch(costs, searches.MappingLimits()).front([0])
    alone = searches.alone(costs)[searches.DSA_Y]
    assert low < alone[1] / searches.least_energy(front, alone[0]) < high


def test_under_the_off_chip_rule_there_is_something_to_trade_as_published() -> None:
    """Without it the exact front has 2 mappings; the publication shows many, and DSA-y and DSA-d that trade latency for energy."""
    for device, few in ((AS_MAESTRO, True), (OFF_CHIP, False), (OFF_CHIP_KEPT, False)):
        costs = accelerator_costs("blocks", device)
        single = searches.alone(costs)
        assert (len(searches.FrontSearch(costs, searches.MappingLimits()).front([0]).setting) < 10) == few
        assert (single[searches.DSA_Y, 0] < single[searches.DSA_D, 0]) == (not few)
        assert (single[searches.DSA_D] < single[0]).all()  # DSA-d dominates DSA-k, as the text says


def test_published_mutation_is_no_better_than_random_and_tuned_is() -> None:
    """The independent check found 82, 81 and 92 % of the exact hypervolume by costs per block."""
    costs = searches.published_table("b0")
    shares = {method: searches.share(costs, method, 2000, 0) for method in searches.METHODS}
    assert abs(shares["nsga2_published"] - shares["random"]) < 4
    assert shares["nsga2"] > shares["nsga2_published"] + 5 and max(shares.values()) <= 100
