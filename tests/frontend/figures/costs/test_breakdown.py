from __future__ import annotations

from frontend.figures.costs.breakdown import breakdown_figure
from tests.frontend.figures.samples import RESULTS


def test_the_total_of_a_breakdown_stands_beside_its_bar():
    notes = breakdown_figure(RESULTS[6], "light").layout.annotations
    assert [note.text for note in notes] == ["1.50\u00a0J", "350\u00a0mJ", "compute", "move"]


def test_names_of_parts_begin_another_line_where_one_is_too_short():
    wide, narrow = (breakdown_figure(RESULTS[6], "light", width_px=width).layout for width in (600, 120))
    level = {note.text: note.yshift for note in wide.annotations}
    assert level["compute"] == level["move"]
    level = {note.text: note.yshift for note in narrow.annotations}
    assert level["compute"] > level["move"] and narrow.margin.t > wide.margin.t
