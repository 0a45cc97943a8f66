"""Medians, rows and columns, against the designs as stored."""

from __future__ import annotations

import csv
import io
from statistics import median
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.designs import Designs, table_to_bytes
from engines.contract.errors import ProblemError
from engines.contract.quantities import Quantity
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.support.toy_engine import QUANTITIES
from webapp.runs.design_chunks import merge_small_chunks
from webapp.runs.models import DesignChunk, Run
from webapp.runs.problems import problem_of
from webapp.studies import service
from webapp.studies.models import Study
from webapp.studies.printing import printed_table
from webapp.studies.tables import BASELINES, SEARCH, study_table, table_csv
from webapp.studies.values import chunk_values

GRID = {
    "engine": "toy",
    "params": {"steps": {"each": [1, 3]}, "designs_per_step": {"each": [2, 4, 6]}},
    "seeds": [1, 2, 3],
}


def do(run: Run, steps: int | None = None, baseline: float | None = None) -> None:
    """Store the designs of a run's first steps as a worker would; a baseline with that latency before them."""
    problem, count = problem_of(run), 0
    for number, step in enumerate(drive(get_engine(run.engine), problem, LocalContext(problem)), 1):
        if steps is not None and number > steps:
            break
        assert step.designs is not None
        designs = step.designs
        if number == 1 and baseline is not None:
            designs = Designs.concatenate([baseline_designs(baseline), designs])
        store(run, count, designs, number)
        count += len(designs)
    status = "done" if steps is None else "running"
    Run.objects.filter(pk=run.pk).update(status=status, step_number=number, design_count=count, attempt=1)


def baseline_designs(latency_s: float) -> Designs:
    columns = {"latency_s": np.array([latency_s]), "energy_j": np.array([0.5]), "spread": np.array([0.0])}
    return Designs(columns, [{"x": [0.0, 0.0, 0.0]}], np.array([0]), ("baseline",), ("All NVDLA",))


def store(run: Run, count: int, designs: Designs, step: int) -> None:
    DesignChunk.objects.create(
        run=run, number=count + len(designs), first_index=count, count=len(designs), step_number=step,
        scalars=table_to_bytes(designs.scalars_table()), decisions=table_to_bytes(designs.decisions_table()),
    )  # fmt: skip


def least(site: LiveSite, run: Run, quantity: str) -> float:
    return float(site.unbroken(run).columns[quantity].min())


def test_a_cell_is_the_median_over_its_seeds(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    for run in study.runs.all():
        do(run)
    table = study_table(study)
    assert [axis.name for axis in table.row_axes] == ["params.steps"]
    assert (table.column_axis, table.columns) == ("params.designs_per_step", (2, 4, 6))
    assert table.quantity.name == "latency_s"
    cell = table.rows[1].cells[2]
    runs = study.runs.filter(params__steps=3, params__designs_per_step=6).order_by("seed")
    expected = [least(live_site, run, "latency_s") for run in runs]
    assert table.rows[1].key == (3,) and [each.run.pk for each in cell.runs] == [run.pk for run in runs]
    assert (cell.count, cell.median, cell.low, cell.high) == (3, median(expected), min(expected), max(expected))


def test_rows_columns_and_quantity_are_chosen_and_nothing_but_seeds_is_mixed(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    by_seed = study_table(study, columns="seed", quantity="energy_j")
    assert by_seed.columns == (1, 2, 3) and by_seed.quantity.name == "energy_j"
    assert [row.key for row in by_seed.rows] == [(1, 2), (1, 4), (1, 6), (3, 2), (3, 4), (3, 6)]
    assert all(len(cell.runs) == 1 for row in by_seed.rows for cell in row.cells)
    single = study_table(study, rows="params.designs_per_step", columns="")
    assert single.columns == (SEARCH,) and single.rows[1].key == (2, 3)
    assert [len(row.cells[0].runs) for row in single.rows] == [3] * 6
    alone = service.create(live_site.ann, {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2]})
    across = study_table(alone, columns="params.steps")
    assert [row.key for row in across.rows] == [()] and [len(cell.runs) for cell in across.rows[0].cells] == [2, 2]


@SQLITE
@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"rows": "params.nothing"}, "rows"),
        ({"rows": "seed"}, "rows"),
        ({"columns": "inputs.weights"}, "columns"),
        ({"rows": "params.steps", "columns": "params.steps"}, "columns"),
        ({"quantity": "spread"}, "quantity"),
    ],
)
def test_what_the_study_does_not_have_is_refused(live_site: LiveSite, asked: dict[str, str], field: str) -> None:
    study = service.create(live_site.ann, GRID)
    with pytest.raises(ProblemError) as caught:
        study_table(study, **asked)
    assert caught.value.field == field


def test_baselines_stand_in_columns_of_their_own_and_never_count_as_found(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, {"engine": "toy", "params": {"steps": {"each": [1, 3]}}, "seeds": [1, 2, 3]})
    for position, run in enumerate(study.runs.order_by("pk")):
        do(run, baseline=0.1 + position)
    table = study_table(study, columns=BASELINES)
    assert table.columns == (SEARCH, "All NVDLA")
    found, baseline = table.rows[0].cells
    assert found.low is not None and found.low > 1.0 and (baseline.median, baseline.count) == (1.1, 3)
    assert (
        study_table(study).column_axis == BASELINES
    )  # with one axis besides the seeds there is nothing else to put across


def test_runs_without_a_value_are_counted_but_not_averaged(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    first, *_ = study.runs.order_by("pk")
    do(first)
    table = study_table(study)
    cell, empty = table.rows[0].cells[0], table.rows[1].cells[0]
    assert (len(cell.runs), cell.count, cell.median) == (3, 1, least(live_site, first, "latency_s"))
    assert (empty.median, empty.low, empty.high, empty.count) == (None, None, None, 0)
    assert len(table.medians) == 1 and cell.active


def test_the_number_of_queries_does_not_grow_and_nothing_is_read_twice(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    runs = list(study.runs.order_by("pk"))

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            study_table(study)
        return len(seen)

    assert queries() == 1
    do(runs[0])
    few = queries()
    for run in runs[1:]:
        do(run)
    assert queries() == few == 3
    assert queries() == 1


def test_a_running_run_is_read_on_where_it_was_left_and_again_at_its_end(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, {"engine": "toy", "params": {"steps": 6}, "seeds": [1]})
    run = study.runs.get()
    do(run, steps=2)
    early = study_table(study).rows[0].cells[0].median
    DesignChunk.objects.all().delete()
    do(run, steps=4)
    later = study_table(study).rows[0].cells[0].median
    assert early is not None and later is not None and later <= early
    DesignChunk.objects.all().delete()
    do(run)
    merge_small_chunks(run.pk)
    assert study_table(study).rows[0].cells[0].median == least(live_site, run, "latency_s")


def test_a_new_attempt_forgets_designs_that_it_dropped(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, {"engine": "toy", "params": {"steps": 6}, "seeds": [1]})
    run = study.runs.get()
    do(run, steps=5)
    study_table(study)
    DesignChunk.objects.all().delete()
    do(run, steps=1)
    Run.objects.filter(pk=run.pk).update(attempt=2)
    first_step = live_site.unbroken(run).columns["latency_s"][:4].min()
    assert study_table(study).rows[0].cells[0].median == first_step


def test_the_best_meets_every_constraint_and_has_the_sense_of_its_quantity() -> None:
    quantities = (
        Quantity("speed", "Speed", "", "maximise", "objective"),
        Quantity("cost", "Cost", "", "minimise", "metric"),
        Quantity("slack", "Slack", "", "none", "constraint"),
    )
    columns = {
        "speed": np.array([1.0, 9.0, 5.0, np.nan, 7.0]),
        "cost": np.array([3.0, 1.0, np.inf, 2.0, 0.5]),
        "slack": np.array([0.0, -1.0, 1.0, 1.0, 1.0]),
    }
    origin, label = ("search", "search", "search", "search", "user"), ("",) * 5
    designs = Designs(columns, [{}] * 5, np.arange(5), origin, label)
    found = chunk_values(table_to_bytes(designs.scalars_table()), quantities)
    assert found.best == {"speed": 5.0, "cost": 2.0} and found.baselines == {}


def test_the_csv_has_a_line_per_cell_with_unit_and_runs(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    for run in study.runs.filter(params__steps=1):
        do(run)
    rows = list(csv.DictReader(io.StringIO(table_csv(study_table(study)))))
    assert len(rows) == 6 and list(rows[0])[:4] == ["steps", "designs_per_step", "runs", "values"]
    assert rows[0]["values"] == "3" and float(rows[0]["latency_s_median [s]"]) > 1.0
    assert rows[-1]["values"] == "0" and rows[-1]["latency_s_median [s]"] == ""
    assert rows[0]["run_ids"].split() == [str(run.pk) for run in study.runs.order_by("pk")[:3]]


def test_it_prints_medians_and_of_how_many_where_some_are_missing(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    do(study.runs.order_by("pk")[0])
    printed = printed_table(study_table(study))
    shown: list[Any] = [list(column.cells) for column in printed.columns]
    assert shown[0] == ["1", "3"] and shown[1][0].endswith("s (1 of 3)") and shown[1][1] == "-"


def test_a_study_of_an_engine_that_changed_is_still_shown(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    Study.objects.filter(pk=study.pk).update(document={**study.document, "version": 7}, engine_version=7)
    assert len(study_table(service.get_study(live_site.ann, study.pk)).rows) == 2
    assert QUANTITIES[0].name == "latency_s"
