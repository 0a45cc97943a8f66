"""Traces of channels and queues out of recordings and CSV files."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.recordings.csv_file import read_csv
from engines.recordings.loader import load_recording
from engines.recordings.recording import Recording
from engines.simulation.recorded_trace import trace_channel, trace_queue


def recording(text: str) -> Recording:
    return load_recording(read_csv(text.encode(), "drive.csv").content)


def test_a_value_counts_until_the_next_and_an_episode_goes_round() -> None:
    channel = trace_channel(recording("time_s,bandwidth_mbps\n0,4\n0.2,8\n0.3,2\n"), 0.1, "inputs.channel_trace")
    assert channel.values.tolist() == [4e6, 4e6, 8e6, 2e6]
    assert channel.mean_s_per_bit == pytest.approx((2 / 4e6 + 1 / 8e6 + 1 / 2e6) / 4)
    drawn = channel.bits_per_s(np.random.default_rng(0), (3, 8))
    for row in drawn:
        start = next(n for n in range(4) if np.array_equal(np.resize(np.roll(channel.values, -n), 8), row))
        assert start in range(4)
    assert channel.scaled(1e-6).mean_s_per_bit == pytest.approx(1e-6)


def test_delays_in_milliseconds() -> None:
    queue = trace_queue(recording("time_s,bandwidth [kbit/s],delay_ms\n0,10,5\n1,20,15\n"), 1.0, "inputs.queue_trace")
    assert queue.values.tolist() == [0.005, 0.015]
    assert queue.mean_s == pytest.approx(0.01)


def test_a_recording_without_the_unit_is_told_what_it_has() -> None:
    speeds = recording("time_s,speed_kmh\n0,10\n1,20\n")
    with pytest.raises(ProblemError, match="speed in m/s") as refused:
        trace_channel(speeds, 0.1, "inputs.channel_trace")
    assert "bandwidth_mbps" in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        ("0,4\n1,-3\n2,5", 3, "bandwidth_mbps"),
        ("0,4\n1,fast\n2,5", 3, "bandwidth_mbps"),
    ],
)
def test_a_csv_is_refused_with_line_and_column(rows: str, line: int, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as refused:
        read_csv(f"time_s,bandwidth_mbps\n{rows}\n".encode(), "drive.csv")
    assert refused.value.line == line
    assert "column" in refused.value.field


def test_values_within_a_window_count_by_their_time() -> None:
    fine = "".join(f"{0.1 * n:.2f},50\n{0.1 * n + 0.02:.2f},1\n" for n in range(20))
    channel = trace_channel(recording(f"time_s,bandwidth_mbps\n{fine}"), 0.1, "inputs.channel_trace")
    assert channel.values == pytest.approx([10.8e6] * 20)
    queue = trace_queue(recording("time_s,delay_ms\n0,10\n0.15,30\n0.3,10\n0.45,30\n"), 0.1, "inputs.queue_trace")
    assert queue.values == pytest.approx([0.010, 0.020, 0.030, 0.010, 0.020])


def test_what_is_sent_in_an_outage_waits_for_the_link() -> None:
    channel = trace_channel(
        recording("time_s,bandwidth_mbps\n0,0\n1,6\n2,0\n3,0\n4,9\n5,0\n"), 1.0, "inputs.channel_trace"
    )
    assert channel.values.tolist() == [3e6, 6e6, 3e6, 4.5e6, 9e6, 2e6]
    with pytest.raises(ProblemError, match="something came through"):
        trace_channel(recording("time_s,bandwidth_mbps\n0,0\n1,0\n"), 1.0, "inputs.channel_trace")


def test_a_gap_of_a_table_parts_the_trace() -> None:
    read = read_csv(b"time_s,bandwidth_mbps\n0,4\n1,5\n2,6\n3,5\n30,4\n31,2\n", "drive.csv")
    assert [len(track["times_s"]) for track in read.content["tracks"]] == [4, 2]
    assert any("gap" in note for note in read.report["notes"])


def test_a_gap_of_a_document_is_refused() -> None:
    content = read_csv(b"time_s,bandwidth_mbps\n0,4\n1,5\n2,6\n3,1\n", "drive.csv").content
    content["tracks"][0]["times_s"][-1] = 50.0
    with pytest.raises(ProblemError, match="nothing from 2 s to 50 s"):
        trace_channel(load_recording(content), 0.1, "inputs.channel_trace")
