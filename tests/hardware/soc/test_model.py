"""Clocks, peaks and power of systems on a chip."""

from __future__ import annotations

import pytest

from engines.documents.builtin import get_builtin
from hardware.soc.loader import load_soc
from hardware.soc.model import ActivePower, Soc
from tests.hardware.documents_for_tests import soc_content


@pytest.fixture
def board() -> Soc:
    return load_soc(soc_content())


def test_power_by_clock_by_hand() -> None:
    power = ActivePower(idle_w=0.5, dynamic_w=8, exponent=2)
    assert power.watts(1) == 8.5
    assert power.watts(0.5) == 0.5 + 8 / 4
    assert power.watts(0.5, load=0.5) == 0.5 + 8 / 8
    assert power.watts(0) == 0.5


def test_a_peak_is_of_one_unit_at_its_highest_clock(board: Soc) -> None:
    gpu = board.units["gpu"]
    assert gpu.peak_operations_per_s("fp16") == 512 * 1377e6
    assert gpu.peak_operations_per_s("fp32", 114.75e6) == 256 * 114.75e6
    with pytest.raises(KeyError):
        gpu.peak_operations_per_s("int8")


def test_a_peak_without_a_clock_asks_for_one() -> None:
    board = load_soc(soc_content(units__gpu__frequencies_mhz=None, power_modes=None, sources__power_modes=None))
    with pytest.raises(ValueError, match="The clock of gpu must be given"):
        board.units["gpu"].peak_operations_per_s("fp16")
    with pytest.raises(ValueError, match="The table of gpu"):
        board.units["gpu"].nearest_step_hz(1e9)
    assert board.units["gpu"].peak_operations_per_s("fp16", 1e9) == 512e9


def test_a_mode_ends_the_table_at_the_nearest_step(board: Soc) -> None:
    # 520 MHz is written in the mode, 522.75 is the step; 345.6 has no limit in that mode.
    assert board.steps_hz("gpu", "low") == (114.75e6, 522.75e6)
    assert board.steps_hz("gpu") == board.steps_hz("gpu", "all") == board.units["gpu"].frequencies_hz
    assert board.steps_hz("cpu", "low") == board.units["cpu"].frequencies_hz
    with pytest.raises(KeyError):
        board.steps_hz("gpu", "turbo")


def test_of_two_equally_near_steps_the_lower_counts(board: Soc) -> None:
    assert board.units["cpu"].nearest_step_hz((345.6e6 + 1200e6) / 2) == 345.6e6


def test_bandwidth_follows_the_memory_clock(board: Soc) -> None:
    assert board.memory is not None
    assert board.memory.bandwidth_bytes_per_s() == 32 * 1600e6
    assert board.memory.bandwidth_bytes_per_s(800e6) == 32 * 800e6


@pytest.mark.parametrize("words", ["mode-15w", "15W", " 15w ", "Mode 15W", "MODE_15W", "15 W"])
def test_a_mode_is_found_by_the_words_that_people_use(words: str) -> None:
    board = load_soc(get_builtin("hardware", "jetson-agx-orin").content)
    assert board.mode_named(words) == "mode-15w" and board.mode_named("16W") == "16W"
