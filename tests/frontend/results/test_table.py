from __future__ import annotations

import numpy as np

from engines.contract.results import Table, TableColumn
from frontend.pages.run.tabs.results import results_tab
from frontend.results.registry import draw
from frontend.results.table import result_table
from tests.frontend.pages.run.tabs.cases import TABLE
from tests.frontend.words import words


def test_a_long_table_is_a_grid_that_draws_only_the_rows_in_view() -> None:
    values = np.arange(100.0) * 1e-3
    values[3] = np.nan
    table = Table("t", "T", (TableColumn("Name", tuple("ab" * 50)), TableColumn("Time", values, "s")))
    grid = draw(table, "light")
    assert grid.columnDefs[1]["headerName"] == "Time (ms)"
    assert grid.rowData[2] == {"c0": "a", "c1": 2.0} and grid.rowData[3]["c1"] is None


def test_a_table_has_one_unit_and_equal_decimals_per_column():
    table = Table(
        "t", "T", (TableColumn("Name", ("a", "b", "c")), TableColumn("Latency", np.array([0.1005, 0.25, np.nan]), "s"))
    )
    text = words(result_table(table))
    assert "ms" in text and "100.5" in text and "250.0" in text and "–" in text


def test_rows_with_units_of_their_own_show_them_beside_their_values():
    values = TableColumn("Value", np.array([0.5141, 96.74e6, 5.0]))
    units = TableColumn("In", ("s", "B", ""), row_units=True)
    table = Table("totals", "Totals", (TableColumn("Quantity", ("Latency", "Busiest link", "Windows")), values, units))
    text = words(result_table(table)).replace("\u00a0", " ")
    assert "Latency 514.1 ms" in text and "Busiest link 96.74 MB" in text and "Windows 5" in text
    assert "Unit" not in text and "5.0" not in text


def test_a_table_of_many_columns_takes_the_whole_width() -> None:
    many = Table("many", "Packages", tuple(TableColumn(f"Column {i}", ("a",)) for i in range(11)))
    assert "className='card wide'" in str(results_tab({"many": many}, (), "", "light", 1200, False))
    assert "wide" not in str(results_tab({"few": TABLE}, (), "", "light", 1200, False))


def test_a_short_table_is_text_and_a_long_one_a_grid() -> None:
    long = Table("long", "All", (TableColumn("Value", np.arange(1000.0)),))
    short, grid = (results_tab({"t": table}, (), "", "light", 1200, False) for table in (TABLE, long))
    assert "data-html" in str(short) and "<td" in str(short) and "Td(" not in str(short)
    assert "AgGrid(" in str(grid) and "data-html" not in str(grid)
