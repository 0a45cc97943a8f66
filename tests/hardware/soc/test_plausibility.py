"""Slips of data sheets that are asked about before a document is stored."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.plausibility import check_soc
from tests.hardware.documents_for_tests import soc_content


def refusal(content: dict[str, Any]) -> HardwareError:
    with pytest.raises(HardwareError) as caught:
        check_soc(content)
    return caught.value


def test_every_built_in_device_agrees_with_itself() -> None:
    for content in builtin_socs().values():
        check_soc(content)
    check_soc(soc_content())


def test_a_sparse_peak_next_to_operations_per_cycle_is_asked_about() -> None:
    # fp16: 512 x 1377 MHz = 0.705 TFLOPS.
    content = soc_content(units__gpu__peak_tera_operations_per_s={"fp16": 1.41})
    load_soc(content)  # stored ones stay valid
    error = refusal(content)
    assert error.key == "units.gpu.peak_tera_operations_per_s.fp16" and error.got == 1.41
    assert "0.705" in error.accepted and "2:4 sparsity" in error.reason
    check_soc(soc_content(units__gpu__peak_tera_operations_per_s={"fp16": 0.7}))


def test_a_sparse_peak_next_to_a_dense_one_is_asked_about_until_confirmed() -> None:
    peaks = {"int8": 170, "fp16": 42.6}
    changes = {"units__gpu__operations_per_cycle": None, "units__gpu__peak_tera_operations_per_s": peaks}
    error = refusal(soc_content(**changes))
    assert error.key.endswith("int8") and "at most 85.2, twice the rate in fp16" in error.accepted
    assert "units.gpu.dense to true" in error.remedies[0].text
    check_soc(soc_content(**changes, units__gpu__dense=True))
    check_soc(soc_content(**{**changes, "units__gpu__peak_tera_operations_per_s": {"int8": 85, "fp16": 42.6}}))
    per_cycle = refusal(soc_content(units__gpu__operations_per_cycle={"int8": 4096, "fp16": 512}))
    assert per_cycle.key == "units.gpu.operations_per_cycle.int8"


@pytest.mark.parametrize(
    ("memory", "key", "words"),
    [
        ({"frequencies_mhz": [2133], "bytes_per_cycle": 32, "bandwidth_gb_per_s": 546},
         "memory.bandwidth_gb_per_s", "546 Gb/s are 68.25 GB/s"),
        ({"type": "LPDDR5", "bus_bits": 64, "bandwidth_gb_per_s": 409.6}, "memory.bandwidth_gb_per_s", "51.2 GB/s"),
        ({"type": "LPDDR4/4X", "bus_bits": 32, "frequencies_mhz": [4266], "bytes_per_cycle": 8},
         "memory.frequencies_mhz.0", "at most 2133.5 MHz"),
    ],
)  # fmt: skip
def test_a_bandwidth_in_bits_or_beyond_its_memory_is_refused(memory: dict[str, Any], key: str, words: str) -> None:
    content = soc_content(memory=memory, power_modes__low__memory_highest_frequency_mhz=None)
    load_soc(content)
    error = refusal(content)
    assert error.key == key and words in f"{error.accepted} {error.reason}"


def test_clock_limits_outside_the_steps_are_refused() -> None:
    error = refusal(soc_content(power_modes__low__units__gpu__highest_frequency_mhz=2000))
    assert error.key == "power_modes.low.units.gpu.highest_frequency_mhz"
    assert error.accepted.startswith("from 114.75 to 1377 MHz")
    error = refusal(soc_content(power_modes__low__memory_highest_frequency_mhz=3200))
    assert error.key == "power_modes.low.memory_highest_frequency_mhz"
    check_soc(soc_content(power_modes__low__units__gpu__highest_frequency_mhz=1400))  # rounded


@pytest.mark.parametrize(
    ("changes", "key", "accepted"),
    [
        ({"units__gpu__operations_per_cycle": 8192}, "units.gpu.operations_per_cycle", "for each precision"),
        ({"peak_tera_operations_per_s": 26}, "peak_tera_operations_per_s", "a peak without its bits"),
        ({"peak_tera_operations_per_s": {"tops": 26}}, "peak_tera_operations_per_s.tops", "one of int4, fp4, int8"),
        ({"memory__frequencies_mhz": None}, "memory.frequencies_mhz", "a list of clocks"),
        ({"confidence": {"units.cpu": "sure"}}, "confidence.units.cpu", "solid, derived, approx, community"),
        ({"confidence": {"rails": "solid"}}, "confidence.rails", "a key that the document has"),
    ],
)  # fmt: skip
def test_what_no_document_may_say_is_named(changes: dict[str, Any], key: str, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_soc(soc_content(**changes))
    assert caught.value.key.startswith(key) and accepted in caught.value.accepted


def test_a_memory_known_by_its_bandwidth_has_one_clock_that_no_page_shows() -> None:
    bare = {"power_modes__low__memory_highest_frequency_mhz": None}
    memory = load_soc(soc_content(memory={"bandwidth_gb_per_s": 34.1}, **bare)).memory
    assert memory is not None and memory.known_clocks_hz == () and memory.bandwidth_bytes_per_s() == 34.1e9
    wide = load_soc(soc_content(memory={"bandwidth_gb_per_s": 34.1, "bus_bits": 64}, **bare)).memory
    assert wide is not None and wide.known_clocks_hz == () and wide.bytes_per_cycle == 16
    assert wide.frequencies_hz == (2131.25e6,) and wide.bandwidth_bytes_per_s() == 34.1e9
    assert load_soc(soc_content(memory={"type": "LPDDR4", "capacities_gib": [8]}, **bare)).memory is None
