from __future__ import annotations

from frontend.components.followed_list import every_ms, list_table, moment_column


def test_a_list_is_asked_for_more_often_while_something_runs() -> None:
    assert every_ms(live=True) < every_ms(live=False)


def test_rows_keep_their_places_by_their_ids_and_moments_are_told_exactly() -> None:
    table = list_table(
        "runs", ({"id": "1", "updated": "now", "exact": "2024-02-01"},), [moment_column("updated", "Updated", 90)]
    )
    assert table.rowData == [{"id": "1", "updated": "now", "exact": "2024-02-01"}] and "data.id" in table.getRowId
    assert table.columnDefs[0]["tooltipField"] == "exact" and table.columnDefs[0]["width"] == 90
