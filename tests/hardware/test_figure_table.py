"""Figures of documents in rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hardware.battery.loader import builtin_batteries, load_battery
from hardware.figure_table import figure_table, quality_of, title_of, unit_of
from hardware.package.loader import builtin_hardware, load_package
from hardware.radio.loader import builtin_radios, load_radio
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from hardware.soc.loader import builtin_socs, load_soc
from tests.hardware.documents_for_tests import package_content

SMALL = {**builtin_sensor_nodes(), **builtin_radios(), **builtin_batteries()}
LOADERS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "sensor-node/1": load_sensor_node,
    "radio/1": load_radio,
    "battery/1": load_battery,
}


def test_a_package_in_rows() -> None:
    content = package_content()
    rows = {row.key: row for row in figure_table(content, load_package(content).sources)}
    bandwidth = rows["off_chip_memory.bandwidth_gb_per_s_per_interface"]
    assert (bandwidth.group, bandwidth.title) == ("Off chip memory", "Bandwidth")
    assert (bandwidth.value, bandwidth.unit) == (64, "GB/s per interface")
    assert rows["package.layout"].value == "A B A, B A B"
    assert (rows["clock_mhz"].group, rows["clock_mhz"].title) == ("", "Clock")
    assert rows["chiplets.A.buffer_mib"].title == "A, buffer"


@pytest.mark.parametrize("slug", builtin_socs())
def test_every_figure_of_a_device_has_a_row(slug: str) -> None:
    content = builtin_socs()[slug]
    soc = load_soc(content)
    rows = figure_table(content, soc.sources)
    assert [row.key for row in rows] == list(soc.sources)
    assert all(row.source and row.title for row in rows)
    # A plain number that is neither a count nor an exponent has a unit.
    unitless = {row.key.rpartition(".")[2] for row in rows if isinstance(row.value, int | float) and not row.unit}
    assert unitless <= {"cores", "count", "exponent", "active_cores", "processing_elements"}


@pytest.mark.parametrize("slug", SMALL)
def test_every_figure_of_a_small_device_has_a_unit(slug: str) -> None:
    content = SMALL[slug]
    rows = figure_table(content, LOADERS[content["schema"]](content).sources)
    assert [row.key for row in rows if isinstance(row.value, int | float) and not row.unit] == []


def test_every_figure_of_a_template_has_a_unit_or_counts() -> None:
    content = builtin_hardware()["simba-3x3-het-sides"]
    rows = figure_table(content, load_package(content).sources)
    unitless = {row.key.rpartition(".")[2] for row in rows if isinstance(row.value, int | float) and not row.unit}
    assert unitless == {"rows", "columns", "processing_elements"}


def test_every_figure_of_silicon_costs_has_a_unit_or_none() -> None:
    content = builtin_silicon_costs()["neksus-28nm"]
    rows = figure_table(content, load_silicon_costs(content).sources)
    unitless = {row.key for row in rows if isinstance(row.value, int | float) and not row.unit}
    assert unitless == {"defects.clustering", "design.top_level_gates"}
    assert {row.key: row for row in rows}["processes.28nm.gates_per_mm2"].title == "28nm, gates"


def test_long_lists_are_summed_up() -> None:
    content = builtin_socs()["jetson-agx-xavier"]
    rows = {row.key: row for row in figure_table(content, load_soc(content).sources)}
    assert rows["units.cpu.frequencies_mhz"].value == "29 from 115.2 to 2265.6"
    assert rows["idle_rails_mw.gpu"].unit == "mW"


@pytest.mark.parametrize(
    ("source", "quality"),
    [
        ("assumed; the text gives none", "assumed"), ("approximate: two units", "approximate"), ("derived: 8 x 8", "derived"),
        ("odema-2024 Table 4.1", "read"), ("", "read"),
    ],
)  # fmt: skip
def test_the_first_word_of_a_source_says_how_sure_it_is(source: str, quality: str) -> None:
    assert quality_of(source) == quality


def test_a_unit_stands_in_the_key_or_around_it() -> None:
    assert unit_of("power_states_mw.running") == "mW" and unit_of("peak_tera_operations_per_s.int8") == "TOP/s"
    assert unit_of("package.rows") == ""


def test_a_key_in_words_is_what_its_field_is_called() -> None:
    assert title_of("clock_mhz") == "Clock"
    assert title_of("units.gpu.frequencies_mhz.1") == title_of("units.gpu.frequencies_mhz") == "Units: gpu, frequencies"
    assert title_of("document") == "Document"
