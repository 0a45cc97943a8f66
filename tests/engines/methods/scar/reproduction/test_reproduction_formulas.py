"""Formulas of the comparisons on outcomes made by hand: what is expected is worked out beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isnan
from typing import Any

import pytest

from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.ablation_tables import ablations, article
from engines.methods.scar.reproduction.rows import CHECKERBOARD, LARGE, SIDES, Rows, percent_less
from engines.methods.scar.reproduction.runs import BASELINES, MAESTRO_LAYERS, Case, Figures, ModelWindows, Outcome
from engines.methods.scar.reproduction.scenarios import datacentre, extended_reality
from engines.methods.scar.reproduction.windows import window_table
from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import Printed

DEFAULT = {"objective": "edp", "search": "greedy", "n_splits": 4, "packing": "greedy"}


def figures(latency_s: float = 1.0, energy_j: float = 1.0, edp_js: float = 1.0) -> Figures:
    """Figures of a schedule; they need not fit each other."""
    return {"latency_s": latency_s, "energy_j": energy_j, "edp_js": edp_js}


def outcome(package: Figures, least_edp_js: float = 1.0, **baselines: Figures) -> Outcome:
    """An outcome; baselines as simba_nvdla, simba_shi, standalone_nvdla."""
    slugs = ("simba_nvdla", "simba_shi", "standalone_nvdla", "standalone_shi")
    titles = dict(zip(slugs, BASELINES, strict=True))
    return Outcome(package, {titles[slug]: each for slug, each in baselines.items()}, (), least_edp_js)


def rows_of(known: Mapping[tuple[str, str], Outcome] | Iterable[tuple[str, str, dict[str, Any], Outcome]]) -> Rows:
    """Comparisons under the default reading that know these runs (workload, package, changed parameters) and no other."""
    runs = {
        Case(workload, package, tuple(sorted({**DEFAULT, **params}.items()))): found
        for workload, package, params, found in known
    }
    return Rows(base.DEFAULT_READING, runs.__getitem__)


def ours(comparisons: Iterable[Comparison]) -> dict[str, float]:
    """Our value by name."""
    return {each.name: each.ours for each in comparisons}


FOUR = "mlperf-scenario-4"
# The default run has 4 boundaries and greedy packing: 4 s and 2.8 J; with uniform packing 5 s and 4 J.
WINDOWS = [
    (FOUR, SIDES, {"n_splits": splits}, outcome(figures(4.0, 2.8, edp)))
    for splits, edp in ((1, 120.0), (2, 60.0), (3, 40.0), (4, 15.0), (5, 12.0))
]
PACKED = (FOUR, SIDES, {"packing": "uniform"}, outcome(figures(5.0, 4.0)))
# 6 x 6 chiplets by the evolutionary search with three boundaries (section 4.5.4).
ON_36 = (
    FOUR, LARGE, {"n_splits": 3, "search": "evolutionary"},
    outcome(figures(2.0, 1.0, 10.0), simba_shi=figures(3.0, 1.0, 40.0), simba_nvdla=figures(1.0, 1.0, 8.0)),
)  # fmt: skip


def test_per_cent_less() -> None:
    assert percent_less({"energy_j": 3.0}, {"energy_j": 4.0}, "energy_j") == 25.0  # 1 J of 4 J


def test_windows_packing_and_six_by_six() -> None:
    rows = {each.name: each for each in ablations(rows_of([*WINDOWS, PACKED, ON_36]))}
    assert rows["Greedy against uniform packing on Het-Sides: speed"].where == "Section 4.5.4"
    assert {name: row.ours for name, row in rows.items()} == pytest.approx({
        "EDP on Het-Sides: 4 window boundaries over 5": 1.25,  # 15 / 12
        "Greedy against uniform packing on Het-Sides: speed": 25.0,  # 5 s / 4 s
        "Greedy against uniform packing on Het-Sides: energy saved": 30.0,  # 1.2 J of 4 J
        "6 x 6, EDP: Simba Shi-diannao over Het-Cross": 4.0,
        "6 x 6, EDP: Simba NVDLA over Het-Cross": 0.8,
        "6 x 6, latency: Simba Shi-diannao over Het-Cross": 1.5,
        "6 x 6, latency: Simba NVDLA over Het-Cross": 0.5,
    })  # fmt: skip


def test_a_reading_with_its_own_search_keeps_it_on_six_by_six() -> None:
    asked: list[Case] = []

    def look(case: Case) -> Outcome:
        asked.append(case)
        return case.blank()

    Rows("exact", look).large()
    assert dict(asked[0].params) == {**DEFAULT, "n_splits": 3, "search": "exact"}


def test_layouts_of_the_article() -> None:
    scenarios = [f"mlperf-scenario-{number}" for number in (1, 2, 3, 4, 5)]
    packages = [
        (scenario, package, {}, found)
        for scenario in scenarios
        if scenario != FOUR
        for package, found in ((SIDES, outcome(figures())), (CHECKERBOARD, outcome(figures())))
    ]
    sides = outcome(figures(4.0, 2.8, 15.0), simba_shi=figures(6.0, 1.0, 30.0))
    other = outcome(figures(5.0, 1.0, 45.0), simba_shi=figures(100.0, 1.0, 100.0))
    mine = [(FOUR, SIDES, {}, sides), (FOUR, CHECKERBOARD, {}, other)]
    windows = [each for each in WINDOWS if each[2] != {"n_splits": 4}]
    rows = {each.name: each for each in article(rows_of([*packages, *windows, PACKED, ON_36, *mine]))}
    found = {name: row.ours for name, row in rows.items()}
    assert found["Scenario 4, EDP: Simba Shi-diannao over Het-Sides"] == 2.0  # 30 / 15
    printed = [base.ARTICLE.value(f"table_iv.{layout}.edp_js[3]") for layout in ("Het-CB", "Het-Sides")]
    assert rows["Scenario 4, EDP: Het-CB over Het-Sides"].published == printed[0] / printed[1]
    assert rows["Greedy against uniform packing on Het-Sides: speed"].where == "ablation of packing"
    assert found["Scenario 4, EDP: Het-CB over Het-Sides"] == 3.0  # 45 / 15
    assert found["Scenario 4, latency: Het-CB over Het-Sides"] == 1.25  # 5 s / 4 s
    assert found["EDP on Het-Sides: gain per window boundary from 1 to 4"] == pytest.approx(
        2.0
    )  # (120 / 15) ** (1 / 3)
    assert found["EDP on Het-Sides: 4 window boundaries over 5"] == 1.25
    assert found["6 x 6, EDP: Simba Shi-diannao over Het-Cross"] == 4.0


def test_gains_of_the_datacentre() -> None:
    known = [
        (f"mlperf-scenario-{number}", package, {}, outcome(figures(edp_js=edp), simba_nvdla=figures(edp_js=10.0),
         simba_shi=figures(edp_js=20.0)))
        for number in (1, 2, 3, 5)
        for package, edp in ((SIDES, 9.0), (CHECKERBOARD, 8.0))
    ]  # fmt: skip
    four = outcome(
        figures(edp_js=5.0), 4.0, simba_nvdla=figures(edp_js=4.0), simba_shi=figures(edp_js=10.0),
        standalone_nvdla=figures(edp_js=20.0),
    )  # fmt: skip
    known += [(FOUR, SIDES, {}, four), (FOUR, CHECKERBOARD, {}, outcome(figures(edp_js=6.0)))]
    # Searched for latency: Standalone NVDLA takes `number` + 2 s, Simba NVDLA 2 s.
    known += [
        (f"mlperf-scenario-{number}", SIDES, {"objective": "latency"},
         outcome(figures(), simba_nvdla=figures(2.0), standalone_nvdla=figures(number + 2.0)))
        for number in range(1, 6)
    ]  # fmt: skip
    rows = {each.name: each for each in datacentre(rows_of(known))}
    found = {name: row.ours for name, row in rows.items()}
    assert found["Scenario 4, EDP: Simba NVDLA over Het-Sides"] == 0.8
    assert found["Scenario 4, EDP: Simba Shi-diannao over Het-Sides"] == 2.0
    assert found["Scenario 4, EDP: Standalone NVDLA over Het-Sides"] == 4.0
    bound = rows["Scenario 4, EDP: Standalone NVDLA over the lower bound of any schedule"]
    assert bound.ours == 5.0 and bound.why == base.BEYOND_BOUND  # 20 / 4; 9.25 is published
    roomy = [each for each in known if each[:3] != (FOUR, SIDES, {})] + [
        (FOUR, SIDES, {}, replace(four, least_edp_js=1.0))
    ]
    assert {row.name: row for row in datacentre(rows_of(roomy))}[bound.name].why == ""
    for number in range(1, 6):
        assert found[f"Scenario {number}, latency: Standalone NVDLA over Simba NVDLA"] == 1 + number / 2
    slower = base.THESIS.value("fig4.8.A1.s45_simba_nvdla_slowdown")  # printed the other way round
    assert rows["Scenario 5, latency: Standalone NVDLA over Simba NVDLA"].published == 1 / slower
    assert found["Scenario 3, latency: most that Simba NVDLA gains over Standalone NVDLA"] == 2.5
    name = "Scenarios 1 to 5, EDP that the better heterogeneous package saves"
    # Four scenarios: 8 against 10 and 20 saves 20 and 60 %. The fourth: 5 against 4 and 10, -25 and 50 %.
    assert found[f"{name}: mean over both Simba packages"] == pytest.approx((4 * 80 + 25) / 10)
    assert found[f"{name}: against the better Simba package"] == pytest.approx((4 * 20 - 25) / 5)


def test_gains_in_extended_reality() -> None:
    def both(number: int, alone_s: float) -> list[tuple[str, str, dict[str, Any], Outcome]]:
        sides = outcome(
            figures(4.0, edp_js=6.0), simba_nvdla=figures(edp_js=10.0), simba_shi=figures(edp_js=8.0),
            standalone_nvdla=figures(alone_s, edp_js=20.0 if number == 6 else 12.0),
        )  # fmt: skip
        other = outcome(figures(2.0, edp_js=7.0))
        workload = f"xrbench-scenario-{number}"
        return [(workload, f"{SIDES}-256", {}, sides), (workload, f"{CHECKERBOARD}-256", {}, other)]

    seconds = {6: 100.0, 7: 5.0, 8: 3.0, 9: 100.0, 10: 4.0}
    found = ours(extended_reality(rows_of([run for number, alone in seconds.items() for run in both(number, alone)])))
    name = "Scenarios 7, 8 and 10, EDP search: most that a heterogeneous package is faster than Standalone NVDLA"
    assert found[name] == 2.5  # of 7, 8 and 10: 5 s over the faster package's 2 s
    name = "EDP that Het-Sides saves against Standalone NVDLA, mean of the scenarios"
    assert found[name] == pytest.approx((70 + 4 * 50) / 5)  # 6 of 20, and four times 6 of 12
    name = "Scenarios 6 to 10, EDP that the better heterogeneous package saves"
    assert found[f"{name}: mean over both Simba packages"] == pytest.approx((40 + 25) / 2)
    assert found[f"{name}: against the better Simba package"] == pytest.approx(25)


def test_the_table_of_windows() -> None:
    # Two windows; GPT-L ends in the second, U-Net in the first. Windows last as long as their slowest model: 5 s and 4 s.
    models = (
        ModelWindows("gpt", 7, (5.0, 2.0), (4, 3)),
        ModelWindows("bert", 6, (1.0, 4.0), (2, 4)),
        ModelWindows("unet", 3, (3.0, 0.0), (3, 0)),
        ModelWindows("resnet", 2, (0.0, 1.0), (0, 2)),
    )
    known = [(MAESTRO_LAYERS, SIDES, {}, Outcome(figures(), {}, models, 1.0))]
    found = ours(window_table(rows_of(known)))
    assert [found[f"Window {number}"] for number in range(5)] == [5, 4, 0, 0, 0] and found["All windows"] == 9
    assert [found[f"Window {number}, layers"] for number in range(5)] == [9, 9, 0, 0, 0]
    ends = {"GPT-L": (7, 7, 7), "BERT-L": (5, 9, 6), "U-Net": (3, 3, 3), "ResNet": (1, 6, 2)}
    for model, (alone, end, layers) in ends.items():
        assert found[f"{model}, sum of its windows"] == alone
        assert found[f"{model}, end to end"] == end
        assert found[f"{model}, layers"] == layers


def test_a_model_that_takes_no_time_ends_at_once() -> None:
    models = tuple(ModelWindows(str(place), 1, (2.0, 3.0 if place else 0.0), (1, 1)) for place in range(3))
    idle = ModelWindows("idle", 1, (0.0, 0.0), (0, 0))
    known = [(MAESTRO_LAYERS, SIDES, {}, Outcome(figures(), {}, (*models, idle), 1.0))]
    assert ours(window_table(rows_of(known)))["ResNet, end to end"] == 0


def test_without_a_schedule_the_table_of_windows_has_no_seconds_and_no_layers() -> None:
    found = ours(window_table(Rows(base.DEFAULT_READING, lambda _: Case("w", "p", ()).blank())))
    assert isnan(found["All windows"]) and isnan(found["GPT-L, end to end"])
    assert found["GPT-L, layers"] == 0 == found["Window 0, layers"]


@pytest.mark.parametrize(
    ("published", "unit", "value", "same"),
    [
        (2.0, "x", 1.2, True), (2.0, "x", 0.9, False), (0.5, "x", 0.9, True), (2.0, "x", 1.004, False),
        (1.003, "x", 0.996, True), (30.0, "%", 2.0, True), (30.0, "%", -2.0, False),
        (30.0, "%", 0.5, True), (30.0, "%", 0.0, False), (30.0, "%", float("nan"), None),
    ],
)  # fmt: skip
def test_sides(published: float, unit: str, value: float, same: bool | None) -> None:
    row = rows_of([]).sided("n", Printed("a-2024", published, unit, "Table 1", ()), value, "g")
    assert row.ordering is same
