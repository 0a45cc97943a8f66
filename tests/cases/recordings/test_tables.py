"""Tables that readers of other tools are reported to read wrong, judged by `expected.json`, which names the report of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.data.click_log import load_click_log
from engines.data.signals import read_signals
from engines.exchange.click_reader import read_csv
from engines.methods.sbrs.mission import budget_of
from engines.recordings.loader import load_recording
from engines.simulation.recorded_trace import trace_channel
from hardware.environment.loader import load_environment

FOLDER = Path(__file__).parent
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


def read(name: str) -> ReadDocument:
    return read_csv((FOLDER / name).read_bytes(), name)


@pytest.mark.parametrize("name", ["rate_MBps.csv", "fine_trace.csv"])
def test_a_channel_has_the_right_mean(name: str) -> None:
    want = EXPECTED[name]
    channel = trace_channel(load_recording(read(name).content), want["window_s"], "inputs.channel_trace")
    assert channel.values.mean() / 1e6 == pytest.approx(want["right"], rel=0.001)


def test_a_gap_is_cut_and_said() -> None:
    found = read("gap_route.csv")
    assert [track.times_s.size for track in load_recording(found.content).tracks] == [400, 400]
    assert any("gap" in note for note in found.report["notes"])


def test_a_unit_that_does_not_fit_its_name_is_refused() -> None:
    with pytest.raises(ProblemError, match=r"wind_speed \[m/s\]"):
        read("wind_speed.csv")


def test_a_message_has_the_time_of_the_file() -> None:
    with pytest.raises(ProblemError, match=EXPECTED["epoch_twice.csv"]["right"]):
        read("epoch_twice.csv")


def test_the_export_of_a_power_meter_is_read() -> None:
    track = load_recording(read("ppk2.csv").content).tracks[0]
    assert track.times_s[:2].tolist() == [0, 0.001] and track.columns["current"][0] == pytest.approx(100e-6)


@pytest.mark.parametrize("name", ["epoch_signals.csv", "utf16_signals.csv"])
def test_signals_give_all_windows(name: str) -> None:
    data = read_signals(FOLDER / name, window=10, step=5, time="time")
    assert sum(map(len, data.splits().values())) >= EXPECTED["epoch_signals.csv"]["right"]


@pytest.mark.parametrize("name", ["movielens.csv", "quoted_ratings.csv"])
def test_ratings_give_the_right_share_of_clicks(name: str) -> None:
    assert load_click_log(read(name).content).labels.mean() == pytest.approx(EXPECTED[name]["right"])


def test_the_budget_is_the_column_of_that_name() -> None:
    assert (
        budget_of(load_environment(read("load_and_budget.csv").content), "").name
        == EXPECTED["load_and_budget.csv"]["right"]
    )


def test_a_log_lasts_as_long_as_it_was_recorded() -> None:
    low, high = EXPECTED["uneven_budget.csv"]["right"]
    assert low <= read("uneven_budget.csv").content["duration_s"] <= high
