from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.results import Breakdown
from frontend.figures import summary
from tests.frontend.figures.samples import sample_grid, sample_schedule


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u2009", " ")


def test_the_grid_is_told_by_models_idle_chiplets_and_the_busiest_link():
    words = plain(summary.grid_sentence(sample_grid(), 1))
    assert words.startswith(
        "Window 2 of 5, 177 ms: GPT-L on 4 chiplets, BERT-L on 4 chiplets, ResNet-50 on 1 chiplet; 0 idle"
    )
    assert "the busiest link carries" in words


def test_the_schedule_is_told_by_length_windows_and_extreme_lanes():
    words = plain(summary.schedule_sentence(sample_schedule()))
    assert words.startswith("9 rows over 1.11 s in 5 windows; busiest C") and "idlest C" in words


def test_one_lane_is_neither_the_busiest_nor_the_idlest_and_one_window_goes_without_saying():
    schedule = sample_schedule()
    kept = schedule.bar_lane == 0
    bars = {
        name: value[kept]
        for name, value in vars(schedule).items()
        if isinstance(value, np.ndarray) and len(value) == len(kept)
    }
    alone = replace(
        schedule,
        lanes=schedule.lanes[:1],
        windows=schedule.windows[:1],
        dependency_from=schedule.dependency_from[:0],
        dependency_to=schedule.dependency_to[:0],
        **bars,
    )
    words = plain(summary.schedule_sentence(alone))
    assert words.startswith("1 row over ") and "busy" in words
    assert "window" not in words and "idlest" not in words


def test_a_value_that_never_changes_is_told_once():
    words = plain(summary.convergence_sentence([1, 4200], [0.5, 0.5], "Best latency", "s"))
    assert words == "Best latency 500 ms from the first value on."


def test_convergence_tells_the_last_improvement():
    words = plain(summary.convergence_sentence([1, 20, 4200, 5000], [9.0, 5.0, 4.8, 4.8], "Best EDP", "J·s"))
    assert words == "Best EDP from 9.00 J·s to 4.80 J·s; last improved after 4 200 evaluations."
    assert summary.convergence_sentence([1], [np.nan], "Best EDP", "J·s") == "Best EDP: no value yet."


def test_a_breakdown_is_told_by_the_totals_of_its_bars():
    values = np.array([[0.1, 0.0], [0.2, 0.05]])
    energy = Breakdown("energy", "Energy by unit", ("GPU", "DLA"), ("Blocks", "Hand-over"), values, "J")
    assert plain(summary.breakdown_sentence(energy)) == "Energy by unit: GPU 100 mJ, DLA 250 mJ."


def test_an_improvement_too_small_for_three_digits_gets_more():
    text = summary.convergence_sentence([1, 2], [2.11951, 2.11947], "Best EDP", "J·s")
    assert text == "Best EDP from 2.11951\u00a0J·s to 2.11947\u00a0J·s; last improved after 2 evaluations."
