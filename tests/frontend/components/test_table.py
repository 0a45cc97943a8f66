from __future__ import annotations

from frontend.components.table import Column, grid_options, plain_table


def test_a_selected_row_is_marked_and_rows_with_ids_are_clickable():
    table = plain_table([Column("A")], [["x"], ["y"]], selected=1, row_ids=[{"i": 0}, {"i": 1}])
    assert [row.className for row in table.children[1].children] == ["click", "sel click"]


def test_grids_take_the_tokens_and_further_options():
    options = grid_options(rowSelection="single")
    assert "var(--p-surface)" in options["theme"]["function"] and options["rowSelection"] == "single"
