"""Columns of the table of designs for what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from frontend.pages.run.measurements.columns import with_measured
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.tabs.table import NO_DECISIONS, column_definitions, table_page
from frontend.pages.run.tabs.table_address import read_filters, read_sort
from frontend.pages.run.tabs.table_columns import choosable
from tests.support.stored_runs import People
from tests.webapp.measuring.test_designs import measured, on_device
from webapp.measuring.designs import ask_designs
from webapp.measuring.models import AgentDevice
from webapp.runs.models import Run

ONE = "measured.test-box.1"


@pytest.fixture(autouse=True)
def seen_by_the_viewer(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.pages.run.measurements.data.current_user", lambda: people.viewer)


def test_a_run_of_which_nothing_was_measured_stays_as_it_is(run: Run) -> None:
    designs = designs_of(run)
    assert with_measured(run, designs) is designs


def test_what_was_measured_stands_beside_the_prediction_and_is_sorted_and_filtered(measured_run: Run) -> None:
    plain = designs_of(measured_run)
    designs = with_measured(measured_run, plain)
    fields = [column["field"] for column in column_definitions(designs)]
    at = fields.index("latency_s")
    assert fields[at + 1 : at + 4] == [ONE, f"{ONE}.from", f"{ONE}.to"]
    assert (designs.front == plain.front).all() and designs.best("latency_s") == plain.best("latency_s")
    known = on_device(measured_run)[:2]
    order = read_sort(f"{ONE}:desc", designs)
    page = table_page(designs, {"sortModel": order})
    by_value = sorted(known, key=lambda number: -designs.columns[ONE][number])
    assert [row["number"] for row in page["rowData"][:2]] == by_value, "what is not measured comes last"
    assert page["rowData"][2][ONE] == "–"
    middle = float(np.mean([designs.columns[ONE][number] for number in known]))
    model = read_filters(f"{ONE}:greaterThan,{middle!r}", designs)
    assert [row["number"] for row in table_page(designs, {"filterModel": model})["rowData"]] == by_value[:1]
    blank = table_page(designs, {"filterModel": {ONE: {"filterType": "number", "type": "notBlank"}}})
    assert blank["rowCount"] == 2


def test_the_unit_is_that_of_the_prediction(measured_run: Run) -> None:
    heads = {
        each["field"]: each["headerName"]
        for each in column_definitions(with_measured(measured_run, designs_of(measured_run)))
    }
    assert (
        heads["latency_s"].rpartition(" (")[2]
        == heads[ONE].rpartition(" (")[2]
        == heads[f"{ONE}.to"].rpartition(" (")[2]
    )


def test_each_number_of_threads_has_a_column_and_intervals_can_be_chosen(
    people: People, measured_run: Run, device: AgentDevice
) -> None:
    ask_designs(people.owner, measured_run, on_device(measured_run)[:1], device, 2)
    measured(0.006)
    designs = with_measured(measured_run, designs_of(measured_run))
    offered = {
        name: each.usual for name, each in choosable(designs, NO_DECISIONS).items() if name.startswith("measured.")
    }
    two = "measured.test-box.2"
    assert offered == {
        ONE: True,
        f"{ONE}.from": False,
        f"{ONE}.to": False,
        two: True,
        f"{two}.from": False,
        f"{two}.to": False,
    }
    assert "2 threads" in designs.quantity(two).title
