"""A small valid hardware document that tests change in one place."""

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


def package_content(**changes: Any) -> dict[str, Any]:
    """A fresh copy of the document; `changes` replace values at dotted keys written with `__`; None takes a key out."""
    content = copy.deepcopy(_CONTENT)
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
