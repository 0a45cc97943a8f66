"""Radios read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given

from hardware.errors import HardwareError
from hardware.radio.loader import builtin_radios, load_radio
from tests.hardware.small_devices_for_tests import radio_content
from tests.support.mutations import mutated


def test_figures_are_converted_once() -> None:
    radio = load_radio(radio_content())
    assert (radio.technology, radio.base_power_w) == ("wifi", 0.1)
    assert (radio.uplink_j_per_bit, radio.downlink_j_per_bit) == pytest.approx((200e-9, 50e-9))
    assert radio.typical_bits_per_s == {"uplink": 4e6}
    assert radio.round_trip_s is None
    content = radio_content()
    content["sources"]["typical_delay"] = "made up"
    assert load_radio(content | {"typical_delay": {"round_trip_ms": 12}}).round_trip_s == pytest.approx(0.012)
    tail, idle = radio.states["tail"], radio.states["idle"]
    assert (tail.power_w, tail.duration_s, tail.energy_j) == (0.5, 2, 1)
    assert (idle.power_w, idle.duration_s, idle.energy_j) == (0.01, None, 0)
    assert radio.sources["states.tail.power_mw"] == "made up"


@given(mutated(radio_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    radio = None
    with contextlib.suppress(HardwareError):
        radio = load_radio(content)
    assert radio is None or radio.power_w() >= 0


@pytest.mark.parametrize("slug", builtin_radios())
def test_every_radio_loads(slug: str) -> None:
    radio = load_radio(builtin_radios()[slug])
    assert radio.slug == slug
    assert radio.round_trip_s is not None and radio.sources["typical_delay.round_trip_ms"]


@pytest.mark.parametrize("slug", [slug for slug in builtin_radios() if slug.startswith("5g")])
def test_what_is_known_of_5g_is_marked_as_approximate(slug: str) -> None:
    sources = load_radio(builtin_radios()[slug]).sources
    words = [source for key, source in sources.items() if key.startswith("transfer_power")]
    assert all(source.startswith(("approximate", "assumed")) for source in words)
