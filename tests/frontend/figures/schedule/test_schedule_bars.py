from __future__ import annotations

from frontend.figures.schedule.schedule import schedule_figure
from frontend.figures.schedule.schedule_bars import segments_of
from tests.frontend.figures.samples import blocks, sample_schedule, schedule_of


def test_parts_of_a_model_on_a_chiplet_are_one_segment():
    schedule = sample_schedule()
    segments = segments_of(schedule)
    assert sum(len(s.bars) for s in segments) == len(schedule.bar_lane)
    first = next(s for s in segments if s.lane == 0 and s.window == 0)
    assert (first.label, len(first.bars)) == ("ResNet-50 layers 0-42", 32)


def test_words_after_a_comma_do_not_make_another_segment():
    bars = [(0, 0, 1, 1, 0, 0), (0, 1, 4, 0, 1, 0), (0, 4, 5, 1, 0, 1), (0, 5, 8, 0, 1, 1)]
    (segment,) = segments_of(schedule_of(bars, labels=("A layers 0-4, input", "A layers 0-4")))
    assert list(segment.bars) == [0, 1, 2, 3]


def test_one_block_is_one_sample_as_long_as_it_is_wide_enough():
    bars = [(0, i, i + 1, 0, 0, i) for i in range(50)]
    assert len(blocks(schedule_figure(schedule_of(bars), "light", width_px=1130))) == 50
    assert len(blocks(schedule_figure(schedule_of(bars), "light", width_px=280))) == 1


def test_narrow_blocks_merge_only_where_nothing_lies_between():
    at = [i + (400 if i >= 100 else 0) for i in range(200)]
    bars = [(0, start / 2, start / 2 + 0.5, 0, 0, i) for i, start in enumerate(at)]
    found = blocks(schedule_figure(schedule_of(bars), "light", width_px=700))
    assert [(round(a), round(b)) for a, b in found] == [(0, 50), (250, 300)]


def test_two_parts_of_the_same_name_are_two_segments():
    labels = ("A root", "A backbone", "A stem")
    bars = [(0, 0, 1, 0, 0, 0), (0, 1, 4, 0, 1, 0), (0, 6, 8, 0, 1, 0), (0, 8, 9, 0, 0, 0), (1, 4, 6, 0, 2, 0)]
    segments = segments_of(schedule_of(bars, labels=labels))
    places = [(s.label, s.start_s, s.end_s) for s in segments if s.lane == 0]
    # The gap of the backbone, in which its lane has nothing else to do, is a wait.
    assert places == [("A root", 0, 1), ("A backbone", 1, 8), ("A root", 8, 9)]
