from __future__ import annotations

import pytest

from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.ablation_tables import ablations, article
from engines.methods.scar.reproduction.rows import CHECKERBOARD, LARGE, SIDES
from tests.engines.methods.scar.reproduction.cases import FOUR, figures, outcome, rows_of

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
