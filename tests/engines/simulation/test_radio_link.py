"""Channels and queues as parameters say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.families import load
from engines.documents.problems import make_problem
from engines.recordings.csv_file import read_csv
from engines.simulation.radio_link import channel_of, joules_per_bit, queue_of, round_trip_s, uplink_bits_per_s
from engines.simulation.server_queue import FixedQueue, GeometricQueue
from engines.simulation.wireless_channel import FixedChannel, RayleighChannel


def test_parameters_make_channels_and_queues_in_base_units() -> None:
    assert channel_of("fixed", 8e6) == FixedChannel(8e6) and channel_of("rayleigh", 8e6) == RayleighChannel(8e6)
    assert queue_of("fixed", 15.0, 0.97, 1.0) == FixedQueue(0.015)
    assert queue_of("geometric", 15.0, 0.97, 1.0) == GeometricQueue(0.97, 4000, 0.001)


def test_a_radio_says_what_sending_takes_or_is_refused() -> None:
    radio = load(get_builtin("hardware", "wifi-smartphone").content)
    assert joules_per_bit(radio, "inputs.radio") == pytest.approx(283.17e-9)
    assert uplink_bits_per_s(radio, 3.0, "params.bandwidth_mbps") == 3e6
    for refused in (
        lambda: joules_per_bit(replace(radio, uplink_j_per_bit=None), "inputs.radio"),
        lambda: uplink_bits_per_s(replace(radio, typical_bits_per_s={}), None, "inputs.radio"),
    ):
        with pytest.raises(ProblemError, match="wifi-smartphone"):
            refused()


def test_the_round_trip_is_as_given_or_typical_and_part_of_a_recorded_delay() -> None:
    radio = get_builtin("hardware", "lte-smartphone")
    plain = make_problem("split-computing", {"radio": radio}, {})
    recorded = Document("data", "delays", 1, read_csv(b"time_s,delay_ms\n0,15\n0.1,15\n", "delays.csv").content)
    traced = make_problem("split-computing", {"radio": radio, "queue_trace": recorded}, {})
    lte = load(radio.content)
    assert round_trip_s(plain, lte, None) == pytest.approx(0.055)
    assert round_trip_s(plain, lte, 4.0) == round_trip_s(traced, lte, 4.0) == pytest.approx(0.004)
    assert round_trip_s(traced, lte, None) == round_trip_s(plain, replace(lte, round_trip_s=None), None) == 0.0
