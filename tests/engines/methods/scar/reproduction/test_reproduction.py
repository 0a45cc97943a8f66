"""Published values beside computed ones: what an independent check of this cost model found must come out again."""

from __future__ import annotations

from functools import partial
from math import isfinite, isnan

import pytest

from engines.methods.scar import reproduction
from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.runs import Case, run_case
from engines.methods.scar.reproduction.windows import totals_of_table
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import comparisons_of, listed
from engines.running.executor import InPlaceExecutor

AVERAGE = "Scenarios 6 to 10, EDP that the better heterogeneous package saves: mean over both Simba packages"


@pytest.fixture(scope="module")
def quick() -> list[Comparison]:
    return list(comparisons_of("scar", quick=True))


@pytest.fixture(scope="module")
def by_name(quick: list[Comparison]) -> dict[tuple[str, str], Comparison]:
    return {(row.group.split(",")[0].split(":")[0], row.name): row for row in quick}


@pytest.mark.long
def test_ours_stand_beside_all_published_values(quick: list[Comparison]) -> None:
    assert all(isfinite(row.ours) for row in quick)
    assert [row.key for row in quick] == [row.key for row in listed("scar", quick=True)]


def test_published_values_have_their_rows() -> None:
    quick = listed("scar", quick=True)
    assert {row.anchor for row in quick} == {"odema-2024"}
    assert all(row.where and row.group for row in quick)
    assert {row.kind for row in quick} == {"arithmetic", "predicted"}
    thesis = base.published()[base.THESIS]["results"]
    published = [row["value"] for row in thesis]
    # Two say "slowdown": they are compared the other way round.
    shown = [row.published for row in quick]
    missing = [value for value in published if value not in shown]
    assert missing == [1.05]


def test_scenario_4_beats_one_homogeneous_package_and_its_bound_rules_the_published_gain_out() -> None:
    found = base.Rows(base.DEFAULT_READING, partial(run_case, None)).outcome(4, base.SIDES)
    assert (
        found.figures("Simba NVDLA")["edp_js"] < found.package["edp_js"] < found.figures("Simba Shi-diannao")["edp_js"]
    )
    assert 4 < found.figures("Standalone NVDLA")["edp_js"] / found.least_edp_js < 5  # 9.25 is published


@pytest.mark.long
def test_het_sides_beats_simba_shi_diannao_but_not_simba_nvdla(by_name: dict[tuple[str, str], Comparison]) -> None:
    shi = by_name["Datacentre", "Scenario 4, EDP: Simba Shi-diannao over Het-Sides"]
    nvdla = by_name["Datacentre", "Scenario 4, EDP: Simba NVDLA over Het-Sides"]
    assert shi.ours > 1 and shi.ordering
    assert nvdla.ours < 1 and nvdla.ordering is False and nvdla.why


@pytest.mark.long
def test_the_published_gain_over_standalone_lies_beyond_the_lower_bounds(by_name) -> None:
    bound = by_name["Datacentre", "Scenario 4, EDP: Standalone NVDLA over the lower bound of any schedule"]
    assert bound.published == 9.25 and 4 < bound.ours < 5
    assert bound.ordering is None and bound.why == base.BEYOND_BOUND


@pytest.mark.long
def test_heterogeneity_pays_in_extended_reality(by_name) -> None:
    saved = by_name["AR/VR", AVERAGE]
    assert saved.published == 31.4 and 20 < saved.ours < 35 and saved.ordering


def test_the_rules_of_the_window_table_give_its_totals() -> None:
    rows = list(totals_of_table())
    assert len(rows) == 10
    assert all(row.ours == pytest.approx(row.published, abs=0.041) for row in rows)  # sums of rounded seconds


def test_layers_of_the_window_table_are_those_of_the_tables_at_hand() -> None:
    (part,) = (part for part in reproduction.parts(quick=True) if part.title.startswith("Table 4.3"))
    rows = {row.name: row for row in part.rows(part.compute(InPlaceExecutor()))}
    found = {model: rows[f"{model}, layers"] for model in ("GPT-L", "BERT-L", "U-Net", "ResNet")}
    assert (found["U-Net"].ratio, found["ResNet"].ratio) == (1, 1)
    assert found["GPT-L"].why == base.OTHER_SECONDS


def test_keeping_sums_with_the_off_chip_rule_turns_scenario_4_around() -> None:
    params = {**base.READINGS["sums kept, off-chip rule"].params, "search": "greedy"}
    found = run_case(None, Case("mlperf-scenario-4", base.SIDES, tuple(sorted(params.items()))))
    assert found.figures("Simba NVDLA")["edp_js"] > found.package["edp_js"]


@pytest.mark.parametrize(
    ("node_rule", "nvdla", "ratio"),
    [("provisioned", 2.065, 0.974), pytest.param("free", 1.750, 0.874, marks=pytest.mark.long)],
)
def test_how_equation_42_is_read_moves_the_headline(node_rule: str, nvdla: float, ratio: float) -> None:
    assert base.READINGS[base.ANY_NUMBER].params == {"search": "exact", "node_rule": "free"}
    params = {"search": "exact", "node_rule": node_rule, "n_splits": base.DEFAULT_SPLITS, "packing": "greedy"}
    found = run_case(None, Case("mlperf-scenario-4", base.SIDES, tuple(sorted(params.items()))))
    figures = found.figures("Simba NVDLA")["edp_js"]
    assert figures == pytest.approx(nvdla, abs=0.001)
    assert figures / found.package["edp_js"] == pytest.approx(ratio, abs=0.001)


def test_a_baseline_that_cannot_run_has_no_value() -> None:
    assert isnan(base.NOTHING.figures("Simba NVDLA")["edp_js"])


def test_both_publications_are_complete_and_never_mixed() -> None:
    article = base.published()[base.ARTICLE]
    assert len(article["layouts"]) == 6
    assert all(len(row["edp_js"]) == len(row["latency_s"]) == len(article["scenarios"]) for row in article["layouts"])


def test_every_reading_asks_for_the_same_comparisons() -> None:
    rows = listed("scar")
    assert len({(row.anchor, row.name, row.reading) for row in rows}) == len(rows)
    names = {reading: [row.name for row in rows if row.reading == reading] for reading in reproduction.READINGS}
    fourth = names.pop(base.ANY_NUMBER)
    assert len(set(map(tuple, names.values()))) == 1
    assert len(fourth) == 3 and set(fourth) <= set(names[base.DEFAULT_READING]) and reproduction.HEADLINE in fourth
    article = [row for row in rows if row.anchor == base.ARTICLE and row.reading == base.DEFAULT_READING]
    assert len(article) == 2 * 5 * 5 + 6
