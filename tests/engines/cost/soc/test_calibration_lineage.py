"""What a calibration of one device means for a copy of it."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from engines.cost.calibration.words import calibration_words, costs_notes, inheritance_words
from engines.cost.soc.calibration_lineage import inheritance_of, inherited, reference_figures
from engines.cost.soc.clocks import clock_settings, highest_clocks
from engines.cost.soc.model import SocCostModel
from hardware.calibration.device_figures import device_figures
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc
from tests.engines.cost.copies_for_tests import MAGNAS, copied, fitted
from tests.engines.cost.soc_for_tests import GEMM, board, board_content, calibration, table

XAVIER = load_soc(builtin_socs()["jetson-agx-xavier"])


def seconds(soc: Soc, clocks: dict[str, float] | None = None) -> float:
    settings = clock_settings(soc, [clocks]) if clocks else highest_clocks(soc)
    return float(SocCostModel(soc, fitted()).costs(table(GEMM), settings, units=["gpu"]).latency_s[0, 0, 0])


def test_a_copy_costs_what_its_parent_costs() -> None:
    both = [SocCostModel(soc, fitted()).costs(table(GEMM), highest_clocks(soc)) for soc in (board(), copied())]
    np.testing.assert_array_equal(both[0].latency_s, both[1].latency_s)
    np.testing.assert_array_equal(both[0].energy_j, both[1].energy_j)


def test_a_higher_clock_scales_from_the_clock_that_was_measured() -> None:
    faster = copied(units__gpu__frequencies_mhz=[500.0, 1000.0, 2000.0])
    assert seconds(faster, {"gpu": 1000}) == seconds(board())
    # 10 us per launch, half of it paced by the GPU, and 2 MOP at half of 200 operations per cycle.
    assert seconds(board()) == pytest.approx(10e-6 + 20e-6)
    assert seconds(faster) == pytest.approx(10e-6 * (0.5 + 0.5 / 2) + 10e-6)


def test_voltage_and_power_are_extrapolated_beyond_the_measured_clock() -> None:
    faster = copied(units__gpu__frequencies_mhz=[500.0, 1000.0, 2000.0])
    model = SocCostModel(faster, fitted())
    at = [model.costs(table(GEMM), clock_settings(faster, [{"gpu": mhz}]), units=["gpu"]) for mhz in (1000, 2000)]
    power = [float(costs.energy_j[0, 0, 0] / costs.latency_s[0, 0, 0]) for costs in at]
    assert power[1] > 2 * power[0]


def test_bandwidth_and_peak_are_the_copy_s_own() -> None:
    assert seconds(copied(units__gpu__operations_per_cycle={"fp16": 400.0})) == pytest.approx(10e-6 + 10e-6)
    slow = copied(memory__bytes_per_cycle=1.0)
    assert seconds(slow) > seconds(board())


def test_without_the_figures_of_the_parent_nothing_is_scaled_and_that_is_said() -> None:
    faster = copied(units__gpu__frequencies_mhz=[500.0, 2000.0])
    found = inheritance_of(calibration(), faster)
    assert found is not None and not found.certain and not found.same
    assert "is unknown" in inheritance_words(found, faster)


def test_units_that_the_parent_lacks_or_has_as_another_kind_are_not_inherited() -> None:
    changed = copied(units__npu__kind="gpu", units__dsp={"kind": "npu", "frequencies_mhz": [600.0]})
    counted = inherited(fitted(), changed)
    assert set(counted.covered) == {"gpu"}
    found = inheritance_of(fitted(), changed)
    assert found is not None and found.unknown == ("NPU (npu there, gpu here)", "DSP (not there)")
    assert "no measurements are available there" in inheritance_words(found, changed)


def test_what_no_calibration_reads_is_named() -> None:
    content = {**copy.deepcopy(dict(builtin_socs()["jetson-agx-xavier"])), "slug": "small", "process_node_nm": 5}
    content["units"]["gpu"]["power"]["dynamic_w"] = 5
    content["units"]["gpu"]["on_chip_memory_kib"] = 512
    content["sources"]["units.gpu.on_chip_memory_kib"] = "a test"
    content["units"]["gpu"]["frequencies_mhz"][-1] = 1500
    small = load_soc(content)
    found = inheritance_of(MAGNAS, small)
    assert found is not None
    assert found.scaled == ("GPU: highest clock 1377 MHz, now 1500 MHz",)
    assert found.unread == ("process node", "on-chip memory of GPU", "power of GPU")
    notes = {note.name: note for note in costs_notes(MAGNAS, small, chosen=True, assumed={}, datasheet_units=())}
    assert notes["inherited"].level == "warning" and "process node" in notes["inherited"].text


def test_the_device_itself_inherits_nothing() -> None:
    assert inheritance_of(MAGNAS, XAVIER) is None
    assert calibration_words(MAGNAS, XAVIER) == "fp16, calibration xavier-magnas"
    assert reference_figures(MAGNAS, XAVIER) == device_figures(XAVIER)


def test_a_device_that_was_changed_since_it_was_measured_is_no_copy_of_itself() -> None:
    content = board_content()
    content["memory"]["bytes_per_cycle"] = 20.0
    changed = load_soc(content)
    assert calibration_words(fitted(), changed) == "fp16, calibration round, scaled to its present figures"
    found = inheritance_of(fitted(), changed)
    assert found is not None and found.scaled == ("Memory: 10 bytes per cycle, now 20",)
    assert inheritance_words(found, changed).startswith("board had other figures when it was measured. Scaled by")
