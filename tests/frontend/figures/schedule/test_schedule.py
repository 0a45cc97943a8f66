from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.contract.results import Lane
from frontend.figures.schedule.schedule import block_words, lanes_word, schedule_figure
from tests.frontend.figures.samples import sample_schedule, schedule_of, units_of, words


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("by", ["chiplets", "models"])
@pytest.mark.parametrize("width", [500, 1130, 1660])
def test_it_passes_plotlys_own_validation(scheme, by, width):
    go.Figure(schedule_figure(sample_schedule(), scheme, selected_window=1, width_px=width, by=by).to_dict())


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


def test_lanes_are_called_what_they_are():
    assert lanes_word(sample_schedule()) == "Chiplets"
    units = units_of([(0, 0, 1, 0, 0, -1)], ("A stem",))
    assert lanes_word(units) == "Units"
    ways = tuple(Lane(name, title, "gpu", 0.5) for name, title in (("old", "One by one"), ("new", "At once")))
    assert lanes_word(dataclasses.replace(units, lanes=ways)) == "Lanes"
    shown = words(schedule_figure(dataclasses.replace(units, lanes=ways), "light"))
    assert {"One by one", "At once", "<b>One inference</b>  1.00\u00a0s"} <= set(shown)


def test_layers_are_counted_from_one():
    shown = words(schedule_figure(sample_schedule(), "light", width_px=1660))
    assert "<b>ResNet-50</b> 1–43" in shown and "<b>GPT-L</b> 109" in shown


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
