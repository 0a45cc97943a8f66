from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.costs.scoring import COLUMNS, Scorer
from engines.chiplets.explain import explain_schedule
from engines.chiplets.problem.decision import PackageSchedule, Placement
from engines.contract.results import Breakdown, ChipletGrid, Note, Schedule, Table
from tests.engines.chiplets.cases import package, tables

MODELS = {"a": [[3, 5, 2], [6, 6, 4]], "b": [[1], [1]]}
SCHEDULE = PackageSchedule(
    (
        (Placement(0, 0, (1, 2), (0, 1)), Placement(1, 0, (1,), (2,))),
        (Placement(0, 2, (3,), (4,)),),
    )
)


def explained(**params):
    built = tables(MODELS, params, batch=3)
    scorer = Scorer(built)
    results = {result.name: result for result in explain_schedule(built, SCHEDULE, scorer)}
    return built, dict(zip(COLUMNS, scorer.score(SCHEDULE), strict=True)), results


@pytest.mark.parametrize("reading", ["fill_drain", "pipelined_maximum", "end_to_end"])
def test_totals_equal_the_scores(reading: str) -> None:
    _, scores, results = explained(latency_reading=reading)
    schedule, energy, totals = results["schedule"], results["energy"], results["totals"]
    assert isinstance(schedule, Schedule) and isinstance(energy, Breakdown) and isinstance(totals, Table)
    assert schedule.windows[-1].end_s == scores["latency_s"]
    assert energy.values.sum() == pytest.approx(scores["energy_j"], rel=1e-12)
    assert totals.table_columns[2].values.tolist() == list(scores.values())


def test_the_grid_by_hand() -> None:
    built, scores, results = explained()
    grid = results["grid"]
    assert isinstance(grid, ChipletGrid)
    assert [(p.chiplet, p.model, p.stage, p.stages, p.first_layer, p.last_layer) for p in grid.windows[0].placements] == [
        (0, "a", 0, 2, 0, 0), (1, "a", 1, 2, 1, 1), (2, "b", 0, 1, 0, 0),
    ]  # fmt: skip
    loads = {(link.source, link.target): link.size_bytes for link in grid.windows[1].links}
    # Chiplet 4 reads 3 x 10 B from chiplet 1, 10 B of weights over chiplet 3, and writes 3 x 20 B back the same way.
    assert loads == {
        ("C1", "C4"): 30.0,
        ("DRAM left 1", "C3"): 10.0,
        ("C3", "C4"): 10.0,
        ("C4", "C3"): 60.0,
        ("C3", "DRAM left 1"): 60.0,
    }
    peak = max(link.size_bytes for window in grid.windows for link in window.links)
    assert peak == scores["link_peak_bytes"]
    assert set(grid.memory_nodes) == {"DRAM left 0", "DRAM left 1", "DRAM right 0", "DRAM right 1"}
    assert all(0 < p.busy_fraction <= 1 for window in grid.windows for p in window.placements)
    assert built.chiplets == len(grid.chiplets)


def test_windows_table() -> None:
    _, scores, results = explained()
    table = results["windows"]
    assert isinstance(table, Table)
    columns = {column.title: column.values for column in table.table_columns}
    assert columns["Latency"].sum() == pytest.approx(scores["latency_s"])
    assert columns["Energy"].sum() == pytest.approx(scores["energy_j"])
    assert columns["Layers"].tolist() == [3, 1]
    assert np.isnan(columns["b"][1])


def test_what_does_not_fit_is_said() -> None:
    built = tables(MODELS, on=package(buffer=5), batch=3)
    results = explain_schedule(built, SCHEDULE, Scorer(built))
    warnings = {r.name: r for r in results if isinstance(r, Note) and r.level == "warning"}
    assert "segments do not fit" in warnings["buffer"].text
    assert "buffer" not in explained()[2]


def test_shares_of_time_by_hand() -> None:
    # Window 1 takes 15 s: `a` keeps chiplet 0 for 11 s, `b` chiplet 2 for all of it. Window 2 takes 20 s, all on chiplet 1.
    built = tables({"a": [[3, 5], [6, 6]], "b": [[1], [1]]})
    first = (Placement(0, 0, (1,), (0,)), Placement(1, 0, (1,), (2,)))
    schedule = PackageSchedule((first, (Placement(0, 1, (2,), (1,)),)))
    results = {result.name: result for result in explain_schedule(built, schedule, Scorer(built))}
    grid, lanes = results["grid"], results["schedule"]
    assert isinstance(grid, ChipletGrid) and isinstance(lanes, Schedule)
    assert [window.duration_s for window in grid.windows] == [15, 20]
    shares = [[placement.busy_fraction for placement in window.placements] for window in grid.windows]
    assert shares == [pytest.approx([11 / 15, 1.0]), pytest.approx([1.0])]
    assert [lane.busy_fraction for lane in lanes.lanes] == pytest.approx([11 / 35, 20 / 35, 15 / 35, 0, 0, 0])
