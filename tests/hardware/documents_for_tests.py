"""Small valid hardware documents that tests change in one place."""

from __future__ import annotations

import copy
from typing import Any

_CONTENT: dict[str, Any] = {
    "schema": "chiplet-package/1",
    "slug": "two-by-three",
    "title": "Two by three",
    "source": "made up",
    "package": {"rows": 2, "columns": 3, "layout": ["A B A", ["B", "A", "B"]]},
    "chiplets": {
        "A": {
            "dataflow": "nvdla",
            "processing_elements": 256,
            "noc_bandwidth_elements_per_cycle": 64,
            "noc_hop_latency_cycles": 2,
            "buffer_mib": 0.5,
        },
        "B": {
            "dataflow": "shi-diannao",
            "processing_elements": 1024,
            "noc_bandwidth_elements_per_cycle": 128,
            "noc_hop_latency_cycles": 1,
            "buffer_mib": 2,
        },
    },
    "network_on_package": {"bandwidth_gb_per_s": 100, "hop_latency_ns": 35, "energy_pj_per_bit_per_hop": 2.04},
    "off_chip_memory": {
        "bandwidth_gb_per_s_per_interface": 64,
        "latency_ns": 200,
        "energy_pj_per_bit": 14.8,
        "interface_sides": ["left"],
    },
    "arithmetic": {"mac_energy_pj": 0.23, "level1_access_energy_macs": 1.68, "level2_access_energy_macs": 18.61},
    "clock_mhz": 500,
    "process_node_nm": 28,
    "word_bytes": 1,
    "sources": dict.fromkeys(
        (
            "package",
            "chiplets",
            "network_on_package",
            "off_chip_memory",
            "arithmetic",
            "clock_mhz",
            "process_node_nm",
            "word_bytes",
        ),
        "made up",
    ),
}


_SOC: dict[str, Any] = {
    "schema": "soc/1",
    "slug": "small-board",
    "title": "Small board",
    "source": "made up",
    "lineage": ["small-board"],
    "process_node_nm": 16,
    "design_power_w": 20,
    "peak_tera_operations_per_s": {"int8": 2.5},
    "units": {
        "cpu": {"kind": "cpu", "cores": 4, "frequencies_mhz": [345.6, 1200, 2035.2]},
        "gpu": {
            "kind": "gpu",
            "count": 2,
            "cores": 128,
            "frequencies_mhz": [114.75, 522.75, 675.75, 1377],
            "operations_per_cycle": {"fp16": 512, "fp32": 256},
            "on_chip_memory_kib": 512,
            "power": {"idle_w": 0.5, "dynamic_w": 8, "exponent": 2},
        },
    },
    "memory": {"frequencies_mhz": [800, 1600], "bytes_per_cycle": 32, "capacities_gib": [8, 16]},
    "power_modes": {
        "all": {},
        "low": {
            "budget_w": 10,
            "memory_highest_frequency_mhz": 800,
            "units": {"cpu": {"active_cores": 2}, "gpu": {"highest_frequency_mhz": 520}},
        },
    },
    "power_states_mw": {"off": 0, "idle": 1500},
    "idle_rails_mw": {"gpu": 463},
    "sources": dict.fromkeys(
        (
            "process_node_nm",
            "design_power_w",
            "peak_tera_operations_per_s",
            "units",
            "memory",
            "power_modes",
            "power_states_mw",
            "idle_rails_mw",
        ),
        "made up",
    ),
}


def package_content(**changes: Any) -> dict[str, Any]:
    """A fresh package; `changes` replace values at dotted keys written with `__`; None takes a key out."""
    return changed(_CONTENT, changes)


def soc_content(**changes: Any) -> dict[str, Any]:
    """A fresh system on a chip; `changes` as for `package_content`."""
    return changed(_SOC, changes)


def changed(original: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy with `changes` made, as for `package_content`."""
    content = copy.deepcopy(original)
    for path, value in changes.items():
        *sections, last = path.split("__")
        target = content
        for section in sections:
            target = target[section]
        if value is None:
            del target[last]
        else:
            target[last] = value
    return content
