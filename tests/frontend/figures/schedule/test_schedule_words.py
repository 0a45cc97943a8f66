from __future__ import annotations

from frontend.figures.schedule.schedule import schedule_figure
from tests.frontend.figures.samples import sample_schedule, units_of, words


def test_parts_too_narrow_for_words_share_those_of_their_stretch():
    bars = [(0, i, i + 1, 0, i, -1) for i in range(80)]
    labels = tuple(f"A block{i}" for i in range(80))
    assert "block0 to block79" in words(schedule_figure(units_of(bars, labels), "light", width_px=700))
    two = units_of(bars, labels, models=("A", "B"))
    assert "<b>A</b> block0 to block79" in words(schedule_figure(two, "light", width_px=700))
    apart = [*bars[:40], *[(1, i, i + 1, 0, i, -1) for i in range(40, 80)]]
    assert {"block0 to block39", "block40 to block79"} <= set(words(schedule_figure(units_of(apart, labels), "dark")))
    given = [(1, 0, 0.2, 1, 0, -1), (1, 0.2, 1, 0, 1, -1), *((1, i, i + 1, 0, i + 1, -1) for i in range(1, 60))]
    handed = units_of(given, ("transfer to DLA", *labels[:60]), models=("A",))
    assert "block0 to block59" in words(schedule_figure(handed, "light"))
    few = words(schedule_figure(units_of(bars[:3], labels), "light"))
    assert {"block0", "block1", "block2"} <= set(few)


def test_names_give_way_to_short_ones_where_there_is_no_room():
    wide = words(schedule_figure(sample_schedule(), "light", width_px=1660))
    narrow = words(schedule_figure(sample_schedule(), "light", width_px=700))
    assert "<b>BERT-L</b> 65–66" in wide and "<b>BERT-L</b> 65–66" not in narrow
    assert any(text.startswith("<b>BERT</b> ") for text in narrow)
