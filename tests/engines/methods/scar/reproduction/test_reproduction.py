"""Published values beside computed ones: what an independent check of this cost model found must come out again."""

from __future__ import annotations

from math import isfinite, isnan

import pytest

from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.runs import Case
from engines.methods.scar.reproduction.windows import totals_of_table
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import comparisons_of, headline_of, listed, parts_of
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
    assert {row.kind for row in quick} == {"arithmetic", "constant", "predicted", "repeated"}
    published = [row["value"] for row in base.THESIS.results.values()]
    # Two say "slowdown": they are compared the other way round.
    shown = [row.published for row in quick]
    missing = [value for value in published if value not in shown]
    assert missing == [1.05]


def test_scenario_4_beats_one_homogeneous_package_and_its_bound_rules_the_published_gain_out() -> None:
    found = base.Rows(base.DEFAULT_READING, lambda case: case.run()).outcome(4, base.SIDES)
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
    (part,) = (part for part in parts_of("scar", quick=True) if part.title.startswith("Table 4.3"))
    rows = {row.name: row for row in part.computed({}, InPlaceExecutor())}
    found = {model: rows[f"{model}, layers"] for model in ("GPT-L", "BERT-L", "U-Net", "ResNet")}
    assert (found["U-Net"].ratio, found["ResNet"].ratio) == (1, 1)
    assert found["GPT-L"].why == base.OTHER_SECONDS


def test_keeping_sums_with_the_off_chip_rule_turns_scenario_4_around() -> None:
    params = {**base.READINGS["sums kept, off-chip rule"].params, "search": "greedy"}
    found = Case("mlperf-scenario-4", base.SIDES, tuple(sorted(params.items()))).run()
    assert found.figures("Simba NVDLA")["edp_js"] > found.package["edp_js"]


@pytest.mark.parametrize(
    ("node_rule", "nvdla", "ratio"),
    [("provisioned", 2.065, 0.974), pytest.param("free", 1.750, 0.874, marks=pytest.mark.long)],
)
def test_how_equation_42_is_read_moves_the_headline(node_rule: str, nvdla: float, ratio: float) -> None:
    assert base.READINGS[base.ANY_NUMBER].params == {"search": "exact", "node_rule": "free"}
    params = {"search": "exact", "node_rule": node_rule, "n_splits": base.DEFAULT_SPLITS, "packing": "greedy"}
    found = Case("mlperf-scenario-4", base.SIDES, tuple(sorted(params.items()))).run()
    figures = found.figures("Simba NVDLA")["edp_js"]
    assert figures == pytest.approx(nvdla, abs=0.001)
    assert figures / found.package["edp_js"] == pytest.approx(ratio, abs=0.001)


def test_a_baseline_that_cannot_run_has_no_value() -> None:
    assert isnan(Case("mlperf-scenario-4", base.SIDES, ()).blank().figures("Simba NVDLA")["edp_js"])


def test_every_layout_of_table_iv_has_both_metrics_of_five_scenarios() -> None:
    table = {name: row["value"] for name, row in base.ARTICLE.results.items() if name.startswith("table_iv.")}
    assert len(table) == 2 * 6 and {len(values) for values in table.values()} == {len(base.DATACENTRE)}


def test_every_reading_asks_for_the_same_comparisons() -> None:
    rows = listed("scar")
    assert len({(row.anchor, row.name, row.reading) for row in rows}) == len(rows)
    names = {reading: [row.name for row in rows if row.reading == reading] for reading in base.READINGS}
    fourth = names.pop(base.ANY_NUMBER)
    assert len(set(map(tuple, names.values()))) == 1
    assert len(fourth) == 3 and set(fourth) <= set(names[base.DEFAULT_READING]) and headline_of("scar") in fourth
    article = [row for row in rows if row.anchor == base.ARTICLE.anchor and row.reading == base.DEFAULT_READING]
    assert len(article) == 2 * 5 * 5 + 6
