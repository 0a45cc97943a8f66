"""Medians, rows and columns, against the designs as stored."""

from __future__ import annotations

import csv
import io
from statistics import median

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.errors import ProblemError
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.support.toy_engine import QUANTITIES
from tests.webapp.studies.tables_for_tests import GRID, do, least
from webapp.studies import service
from webapp.studies.models import Study
from webapp.studies.tables import BASELINES, SEARCH, study_table, table_csv


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


def test_the_csv_has_a_line_per_cell_with_unit_and_runs(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    for run in study.runs.filter(params__steps=1):
        do(run)
    rows = list(csv.DictReader(io.StringIO(table_csv(study_table(study)))))
    assert len(rows) == 6 and list(rows[0])[:4] == ["steps", "designs_per_step", "runs", "values"]
    assert rows[0]["values"] == "3" and float(rows[0]["latency_s_median [s]"]) > 1.0
    assert rows[-1]["values"] == "0" and rows[-1]["latency_s_median [s]"] == ""
    assert rows[0]["run_ids"].split() == [str(run.pk) for run in study.runs.order_by("pk")[:3]]


def test_a_study_of_an_engine_that_changed_is_still_shown(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    Study.objects.filter(pk=study.pk).update(document={**study.document, "version": 7}, engine_version=7)
    assert len(study_table(service.get_study(live_site.ann, study.pk)).rows) == 2
    assert QUANTITIES[0].name == "latency_s"
