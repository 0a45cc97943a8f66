from __future__ import annotations

from dash import html

from frontend.components.as_table import as_table


def test_a_folded_table_keeps_its_place_for_a_callback() -> None:
    folded = as_table(html.Table(), None, id="numbers").children[1]
    assert (
        folded.id == "numbers" and getattr(folded, "data-folded") == '<div class="table-scroll"><table></table></div>'
    )
