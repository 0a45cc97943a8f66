"""Estimates of units that nobody measured: what they rest on, and what they are worth where it can be told."""

from __future__ import annotations

from copy import deepcopy
from math import exp, log

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.calibration.datasheet import (
    CPU_LAUNCH_US,
    CPU_SHARE,
    checked_rows,
    datasheet_error_factor,
    datasheet_estimate,
    with_datasheet_units,
)
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.loader import builtin_network
from hardware.bits import bit_widths, rate_of
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc

CALIBRATIONS = {slug: load_calibration(content) for slug, content in builtin_calibrations().items()}


def device(slug: str) -> Soc:
    return load_soc(builtin_socs()[slug])


def test_every_parameter_is_an_assumption_and_says_why() -> None:
    found = datasheet_estimate(device("jetson-agx-xavier"))
    assert set(found.calibration.covered) == {"cpu", "gpu", "dla"} and not found.missing
    assert {parameter.role for parameter in found.calibration.parameters.values()} == {"assumed"}
    assert all(parameter.note for parameter in found.calibration.parameters.values())
    assert not found.calibration.rows and not found.calibration.quantities


def test_shares_of_the_peak_are_means_of_what_was_fitted_and_an_assumption_for_cpus() -> None:
    shares = [CALIBRATIONS[slug].value("gpu.dense_share") for slug in ("xavier-magnas", "xavier-map-and-conquer")]
    found = datasheet_estimate(device("jetson-agx-xavier")).calibration
    assert found.value("gpu.dense_share") == pytest.approx(exp(sum(map(log, shares)) / 2))
    assert (found.value("cpu.dense_share"), found.value("cpu.launch_us")) == (CPU_SHARE, CPU_LAUNCH_US)


def test_what_no_data_sheet_says_is_read_from_the_calibration_of_xavier_or_has_a_source() -> None:
    found, xavier = datasheet_estimate(device("snapdragon-855")).calibration, CALIBRATIONS["xavier-magnas"]
    for name in ("handover_us", "lowest_voltage_share", "launch_paced_share"):
        assert found.value(name) == xavier.value(name) and "xavier-magnas" in found.parameters[name].note
    memory = found.parameters["memory_energy_pj_per_byte"]
    assert memory.value == 8 * 8 and "8 pJ per bit, of LPDDR4 in Accelergy" in memory.note


def test_a_multiplication_takes_what_the_peak_says_and_draws_the_power_of_the_unit() -> None:
    soc = device("x86-server")
    found = datasheet_estimate(soc)
    model = SocCostModel(soc, found.calibration)
    table = operation_table(builtin_network("vgg16").operations)
    costs = model.costs(table, highest_clocks(soc))
    row = int(np.argmax(table.macs / (table.activation_elements + table.weight_elements)))
    seconds = 2 * table.macs[row] / (CPU_SHARE * 1152 * 3.7e9) + 1e-6 * CPU_LAUNCH_US
    assert costs.latency_s[row, 0, 0] == pytest.approx(seconds)
    moved = 4 * (table.activation_elements[row] + table.weight_elements[row])
    assert costs.energy_j[row, 0, 0] == pytest.approx(150 * seconds + moved * 64e-12)


def test_a_narrow_word_is_computed_at_the_peak_of_the_next_wider_one() -> None:
    soc = device("jetson-agx-xavier")
    found = datasheet_estimate(soc)
    assert found.calibration.precision == "fp16"
    for bits, rates in (
        ("fp16", {"cpu": 128, "gpu": 8192, "dla": 2048}),
        ("int8", {"cpu": 128, "gpu": 16384, "dla": 4096}),
    ):
        model = SocCostModel(soc, found.calibration, bits=bits)
        assert [model.why_not(unit, "gemm") for unit in rates] == [""] * 3
        found_rates = {unit: rate_of(soc.units[unit].operations_per_cycle, bit_widths(bits)) for unit in rates}
        assert {unit: rate and rate.operations_per_cycle for unit, rate in found_rates.items()} == rates
    assert "no peak of dla in fp32" in SocCostModel(soc, found.calibration, bits="fp32").why_not("dla", "gemm")


def test_a_unit_gets_no_operation_that_it_does_not_run_itself() -> None:
    covered = datasheet_estimate(device("jetson-agx-xavier")).calibration.covered
    assert "softmax" in covered["gpu"] and "softmax" not in covered["dla"] and "unpriced" not in covered["gpu"]


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("drive-px2-autochauffeur", "memory.bytes_per_cycle.*units.gpu.frequencies_mhz"),
        ("google-edge-tpu", "memory.bytes_per_cycle"),
        ("openmv-h7", "units.core.operations_per_cycle"),
        ("ublox-max-m8q", "units"),
    ],
)
def test_what_a_document_lacks_is_named_with_where_it_belongs(slug: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as refused:
        datasheet_estimate(device(slug))
    assert "to a copy of the device" in str(refused.value) and "calibrate" in str(refused.value)


def test_a_unit_without_power_is_left_out_and_told() -> None:
    content = deepcopy(dict(builtin_socs()["snapdragon-855"]))
    del content["units"]["silver"]["power"]
    found = datasheet_estimate(load_soc(content))
    assert set(found.calibration.covered) == {"prime", "gold", "gpu"}
    assert found.missing == {"silver": "units.silver.power"}


def test_measured_units_stay_as_they_are_beside_estimated_ones() -> None:
    measured = CALIBRATIONS["xavier-magnas"]
    soc = device("jetson-agx-xavier")
    mixed, units = with_datasheet_units(measured, soc)
    assert units == ("cpu",) and set(mixed.covered) == {"cpu", "gpu", "dla"}
    assert {name: mixed.parameters[name] for name in measured.parameters} == dict(measured.parameters)
    table = operation_table(builtin_network("magnas-vig-s-gin").operations)
    clocks = highest_clocks(soc)
    before = SocCostModel(device("jetson-agx-xavier"), measured).costs(table, clocks, units=["gpu", "dla"])
    after = SocCostModel(soc, mixed).costs(table, clocks, units=["gpu", "dla"])
    np.testing.assert_array_equal(before.latency_s, after.latency_s)
    np.testing.assert_array_equal(before.energy_j, after.energy_j)


def test_on_published_measurements_the_rule_is_off_by_less_than_a_half() -> None:
    """The shares are means over the same sources; power, bandwidth and peaks are not."""
    rows = checked_rows()
    assert len(rows) >= 20 and {row.role for row in rows} == {"predicted"}
    assert {row.unit for row in rows} == {"gpu", "dla", "mapping"}
    for quantity in ("latency", "energy"):
        factor = datasheet_error_factor(quantity)
        assert factor is not None and 1.05 < factor < 1.5
    assert datasheet_error_factor("power") is None
