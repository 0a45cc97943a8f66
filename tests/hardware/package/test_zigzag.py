"""Accelerators of ZigZag as packages of one chiplet."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.package.loader import load_package
from hardware.package.zigzag import is_zigzag_hardware, zigzag_package
from tests.hardware.zigzag_for_tests import NEWER, OLDER

ASKED = {"clock_mhz": 200, "process_node_nm": 28}


def read(content: dict[str, Any]) -> tuple[Any, list[str]]:
    document, notes = zigzag_package(content, "acc.yaml", ASKED)
    return load_package(document), notes


def test_the_older_form_becomes_a_package_with_its_figures() -> None:
    package, notes = read(OLDER)
    (chiplet,) = package.chiplets
    assert (chiplet.dataflow, chiplet.processing_elements, chiplet.buffer_bytes) == ("nvdla", 64, 65536)
    assert chiplet.noc_bandwidth_elements_per_cycle == 128 / 8
    assert package.memory.bandwidth_bytes_per_s == pytest.approx(64 / 8 * 200e6)
    assert package.memory.latency_s == pytest.approx(10 / 200e6)
    assert package.memory.energy_pj_per_bit == pytest.approx((640 + 704) / 2 / 64)
    assert package.arithmetic.mac_energy_pj == 0.5
    # Weights and outputs have a memory beside each multiplier: 8 bits cost 0.1 pJ and 0.4 / 2 pJ.
    assert package.arithmetic.level1_access_energy_macs == pytest.approx((0.1 + 0.2) / 2 / 0.5)
    assert package.arithmetic.level2_access_energy_macs == pytest.approx((25.6 + 32) / 2 / 128 * 8 / 0.5)
    assert package.clock_hz == 200e6 and package.word_bytes == 1
    words = " ".join(notes)
    for part in (
        "assumed: the file maps no loops",
        "One byte per element is assumed",
        "row_buffer",
        "area",
        "weight_reg 16 B",
    ):
        assert part in words


def test_the_newer_form_says_ports_precisions_and_dataflows() -> None:
    package, notes = read(NEWER)
    (chiplet,) = package.chiplets
    assert (chiplet.dataflow, chiplet.processing_elements, package.word_bytes) == ("shi-diannao", 32, 2)
    assert chiplet.buffer_bytes == 2 * 32768 and chiplet.noc_bandwidth_elements_per_cycle == (64 + 128) / 16
    assert package.arithmetic.level1_access_energy_macs == 0
    assert any("level 1 costs nothing" in note for note in notes) and not any("assumed" in note for note in notes)


def test_every_memory_of_a_file_is_used_or_named() -> None:
    for content in (OLDER, NEWER):
        document, notes = zigzag_package(content, "acc.yaml", ASKED)
        said = " ".join([*notes, *document["sources"].values()])
        assert all(name in said for name in content["memories"])


def _set(*path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (_set("operational_array", "is_imc", value=True), "operational_array.is_imc"),
        (_set("operational_array", "sizes", value=[8]), "operational_array.sizes"),
        (_set("operational_array", "sizes", value=[2, 2]), "operational_array.sizes"),
        (_set("operational_array", "dimensions", value="D1"), "operational_array.dimensions"),
        (_set("operational_array", "unit_energy", value=None), "operational_array.unit_energy"),
        (_set("memories", "sram", "auto_cost_extraction", value=True), "memories.sram.r_cost"),
        (_set("memories", "sram", "r_cost", value=None), "memories.sram.r_cost"),
        (_set("memories", "sram", "r_bw", value=0), "memories.sram.r_bw"),
        (_set("memories", "sram", "size", value=float("nan")), "memories.sram.size"),
        (_set("memories", "sram", "operands", value="I1"), "memories.sram.operands"),
        (_set("memories", "sram", "served_dimensions", value=["D1"]), "memories"),
        (_set("memories", "dram", "operands", value=["I1"]), "memories.dram.operands"),
        (_set("memories", value={}), "memories"),
        (_set("memories", value=[]), "memories"),
        (_set("memories", "sram", value=5), "memories.sram"),
    ],
)
def test_what_has_no_counterpart_is_refused_by_name(change: Callable[[dict[str, Any]], None], key: str) -> None:
    content = deepcopy(OLDER)
    change(content)
    with pytest.raises(HardwareError) as caught:
        read(content)
    assert caught.value.key == key


def test_a_system_of_several_cores_is_refused_and_documents_are_not_taken_for_it() -> None:
    system = {"name": "quad", "cores": {0: "a.yaml"}, "core_connectivity": []}
    assert is_zigzag_hardware(system) and is_zigzag_hardware(OLDER)
    assert not is_zigzag_hardware({"schema": "soc/1", "operational_array": {}}) and not is_zigzag_hardware(
        {"name": "x"}
    )
    with pytest.raises(HardwareError, match="Import each core"):
        read(system)
