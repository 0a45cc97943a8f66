from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.contract.results import Lane, Schedule, ScheduleWindow
from frontend.figures.schedule import block_words, lanes_word, schedule_figure
from frontend.figures.schedule_bars import segments_of
from tests.frontend.figures.samples import sample_schedule


def schedule_of(bars, kinds=("compute", "transfer"), labels=("A layers 0-4",), lanes=2) -> Schedule:
    """Bars are (lane, start, end, kind, label, sample), all of model A in window 0."""
    lane, start, end, kind, label, sample = (np.array(column) for column in zip(*bars, strict=True))
    zeros = np.zeros(len(bars), np.int64)
    return Schedule(
        "schedule", "Schedule", tuple(Lane(f"C{i}", f"C{i}", "nvdla", 0.5) for i in range(lanes)), (), ("A",), kinds, labels,
        lane, start.astype(float), end.astype(float), kind, zeros, label, zeros, sample,
    )  # fmt: skip


def words(figure: go.Figure) -> list[str]:
    return [text for trace in figure.data if trace.type == "scatter" and trace.mode == "text" for text in trace.text]


def blocks(figure: go.Figure) -> list[tuple[float, float]]:
    x = np.concatenate([np.append(t.x, np.nan) for t in figure.data if t.name == "blocks"])
    return [(float(part[0]), float(part[1])) for part in np.split(x, np.arange(6, len(x), 6))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("by", ["chiplets", "models"])
@pytest.mark.parametrize("width", [500, 1130, 1660])
def test_it_passes_plotlys_own_validation(scheme, by, width):
    go.Figure(schedule_figure(sample_schedule(), scheme, selected_window=1, width_px=width, by=by).to_dict())


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


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        ([0, 1, 2], "one block is one sample"),
        ([0], "one block is one sample"),
        ([0, 0, 3, 3, 6], "one block is one mini-batch (3 samples)"),
        ([-1, 0, 3], "one block is one mini-batch (3 samples at most)"),
        ([-1, -1], "one block is a whole batch"),
    ],
)
def test_it_says_what_a_block_is(samples, words):
    bars = [(0, i, i + 1, 0, 0, sample) for i, sample in enumerate(samples)]
    assert block_words(schedule_of(bars)) == words


def test_an_engine_may_say_what_a_bar_is():
    told = dataclasses.replace(schedule_of([(0, 0, 1, 0, 0, -1)]), bar_words="one bar is one layer")
    assert block_words(told) == "one bar is one layer"


def units_of(bars, labels, **more) -> Schedule:
    """The same on two units of a chip, in one window with a title."""
    lanes = (Lane("gpu", "GPU", "gpu", 0.4), Lane("dla", "DLA", "dla", 0.6))
    window = ScheduleWindow("One inference", 0.0, max(bar[2] for bar in bars))
    return dataclasses.replace(schedule_of(bars, labels=labels), lanes=lanes, windows=(window,), **more)


def test_lanes_are_called_what_they_are():
    assert lanes_word(sample_schedule()) == "Chiplets"
    units = units_of([(0, 0, 1, 0, 0, -1)], ("A stem",))
    assert lanes_word(units) == "Units"
    ways = tuple(Lane(name, title, "gpu", 0.5) for name, title in (("old", "One by one"), ("new", "At once")))
    assert lanes_word(dataclasses.replace(units, lanes=ways)) == "Lanes"
    shown = words(schedule_figure(dataclasses.replace(units, lanes=ways), "light"))
    assert {"One by one", "At once", "<b>One inference</b>  1.00\u00a0s"} <= set(shown)


def test_parts_too_narrow_for_words_share_those_of_their_stretch():
    bars = [(0, i, i + 1, 0, i, -1) for i in range(80)]
    labels = tuple(f"A block{i}" for i in range(80))
    assert "block0 to block79" in words(schedule_figure(units_of(bars, labels), "light", width_px=700))
    two = units_of(bars, labels, models=("A", "B"))
    assert "<b>A</b> block0 to block79" in words(schedule_figure(two, "light", width_px=700))
    apart = [*bars[:40], *[(1, i, i + 1, 0, i, -1) for i in range(40, 80)]]
    assert {"block0 to block39", "block40 to block79"} <= set(words(schedule_figure(units_of(apart, labels), "dark")))
    given = [(1, 0, 0.2, 1, 0, -1), (1, 0.2, 1, 0, 1, -1), *((1, i, i + 1, 0, i + 1, -1) for i in range(1, 60))]
    handed = units_of(given, ("hand-over to DLA", *labels[:60]), models=("A",))
    assert "block0 to block59" in words(schedule_figure(handed, "light"))
    few = words(schedule_figure(units_of(bars[:3], labels), "light"))
    assert {"block0", "block1", "block2"} <= set(few)


def test_layers_are_counted_from_one():
    shown = words(schedule_figure(sample_schedule(), "light", width_px=1660))
    assert "<b>ResNet-50</b> 1–43" in shown and "<b>GPT-L</b> 109" in shown


def test_names_give_way_to_short_ones_where_there_is_no_room():
    wide = words(schedule_figure(sample_schedule(), "light", width_px=1660))
    narrow = words(schedule_figure(sample_schedule(), "light", width_px=700))
    assert "<b>BERT-L</b> 65–66" in wide and "<b>BERT-L</b> 65–66" not in narrow
    assert any(text.startswith("<b>BERT</b> ") for text in narrow)


def test_it_names_lanes_dataflows_windows_and_busy_shares():
    shown = words(schedule_figure(sample_schedule(), "light"))
    assert [f"<b>C{i}</b>" for i in range(9)] == [text for text in shown if text.startswith("<b>C")]
    assert shown.count("NVDLA") == 6 and shown.count("Shi") == 3 and "busy" in shown
    assert any(text.startswith("<b>W1</b>  ") for text in shown)


def test_the_axis_has_one_unit():
    figure = schedule_figure(schedule_of([(0, 0, 0.02, 0, 0, 0)]), "light")
    assert figure.layout.annotations[0].text == "Time (ms)"
    assert list(figure.layout.xaxis.range) == pytest.approx([0, 20])


def test_the_selected_window_is_tinted():
    schedule = sample_schedule()
    plain, chosen = (schedule_figure(schedule, "light", selected_window=w).layout.shapes for w in (None, 2))
    assert [s.type for s in plain].count("rect") == 0
    (tint,) = (s for s in chosen if s.type == "rect")
    assert (tint.x0, tint.x1) == pytest.approx((schedule.windows[2].start_s, schedule.windows[2].end_s))


def test_parts_that_run_at_the_same_time_get_rows_of_their_own_by_model():
    bars = [(0, 0, 4, 0, 0, 0), (1, 2, 6, 0, 1, 0), (0, 5, 7, 0, 2, 1)]
    figure = schedule_figure(
        schedule_of(bars, labels=("A layers 0-1", "A layers 2-3", "A layers 4-5")), "light", by="models"
    )
    (extents,) = (trace for trace in figure.data if trace.type == "bar")
    assert list(extents.y) == [0, 1, 0]


def test_hover_tells_transfers_and_waiting():
    bars = [(0, 0, 1, 1, 0, 0), (0, 1, 4, 0, 1, 0), (0, 6, 8, 0, 1, 1)]
    figure = schedule_figure(schedule_of(bars, labels=("A layers 0-4, input", "A layers 0-4")), "light")
    (extents,) = (trace for trace in figure.data if trace.type == "bar")
    lines = extents.text[0].replace("\u00a0", " ").split("<br>")
    assert lines[0] == "<b>A</b> layers 1–5"
    assert {"2 blocks", "compute 5.00 s", "transfer 1.00 s", "waits 2.00 s"} <= set(lines)


def test_an_empty_schedule_is_drawn():
    empty = np.empty(0, np.int64)
    schedule = dataclasses.replace(
        sample_schedule(), windows=(), bar_lane=empty, bar_start_s=np.empty(0), bar_end_s=np.empty(0), bar_kind=empty,
        bar_model=empty, bar_label=empty, bar_window=empty, bar_sample=empty,
    )  # fmt: skip
    go.Figure(schedule_figure(schedule, "light").to_dict())


def test_fifteen_hundred_blocks_are_drawn_as_few_traces():
    bars = [(i % 9, i // 9, i // 9 + 0.9, 0, i % 9, i // 9) for i in range(1500)]
    schedule = schedule_of(bars, labels=tuple(f"A layers {i}-{i}" for i in range(9)), lanes=9)
    figure = schedule_figure(schedule, "light")
    assert len(figure.data) < 20 and len(figure.to_json()) < 200_000


def test_two_parts_of_the_same_name_are_two_segments():
    labels = ("A root", "A backbone", "A stem")
    bars = [(0, 0, 1, 0, 0, 0), (0, 1, 4, 0, 1, 0), (0, 6, 8, 0, 1, 0), (0, 8, 9, 0, 0, 0), (1, 4, 6, 0, 2, 0)]
    segments = segments_of(schedule_of(bars, labels=labels))
    places = [(s.label, s.start_s, s.end_s) for s in segments if s.lane == 0]
    # The gap of the backbone, in which its lane has nothing else to do, is a wait.
    assert places == [("A root", 0, 1), ("A backbone", 1, 8), ("A root", 8, 9)]
