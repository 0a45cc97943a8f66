"""Accelerators as ZigZag writes them (KULeuven-MICAS/zigzag, `inputs/hardware`), as a package of one chiplet.

ZigZag's files say sizes in bits, bandwidths in bits per cycle, costs in pJ per access of a port's whole width, latencies in cycles.
A package here has per chiplet an array, one memory in each processing element (level 1), one shared buffer (level 2), and DRAM;
what a file says beyond that is named, never dropped in silence. Clock and process node stand in no such file and are asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hardware.errors import HardwareError
from hardware.package.zigzag_memories import Memory, levels, mapping, mean_energy, number, read_memory
from hardware.slugs import slug_of

ASKED = ("clock_mhz", "process_node_nm")
# Keys of Stream's systems, beside `cores`.
_OF_SYSTEMS = {"core_connectivity", "offchip_core", "offchip_core_id", "unit_energy_cost", "core_memory_sharing"}
_MEMORY_USED = {
    "size",
    "r_bw",
    "w_bw",
    "r_cost",
    "w_cost",
    "latency",
    "operands",
    "ports",
    "served_dimensions",
    "mem_type",
}


def is_zigzag_hardware(content: Mapping[str, Any]) -> bool:
    """Return whether a mapping is an accelerator of ZigZag, or a system of several of Stream."""
    return "schema" not in content and ("operational_array" in content or _is_system(content))


def _is_system(content: object) -> bool:
    return (
        isinstance(content, Mapping)
        and "schema" not in content
        and "cores" in content
        and bool(_OF_SYSTEMS & set(content))
    )


def refuse_system(content: object, file: str) -> None:
    """Refuse a system of Stream; its cores have whole numbers as keys, which no document here has.

    Raises:
        HardwareError: it is one.
    """
    if _is_system(content):
        words = "one accelerator"
        reason = "A system of several cores refers to other files."
        ways = ["Import each core as a file of its own."]
        raise HardwareError(file, "cores", "a system of Stream", words, reason=reason, remedies=ways)


def zigzag_package(
    content: Mapping[str, Any], file: str, asked: Mapping[str, float], title: str = ""
) -> tuple[dict[str, Any], list[str]]:
    """Return the package that an accelerator of ZigZag represents, and what of it has no counterpart.

    Args:
        content: content of the file.
        file: name of the file in messages.
        asked: `clock_mhz` and `process_node_nm`.
        title: title of the package; the accelerator's name by default.

    Raises:
        HardwareError: names the key, what was got and what is accepted; also for what has no counterpart at all.
    """
    refuse_system(content, file)
    array = mapping(content, "operational_array", file)
    if array.get("is_imc"):
        raise HardwareError(
            file, "operational_array.is_imc", True, "false", reason="No cost model covers in-memory computing arrays."
        )
    elements, dimensions = _array(array, file)
    memories = [read_memory(name, each, file) for name, each in mapping(content, "memories", file).items()]
    dram, shared, private, others = levels(memories, dimensions, file)
    word_bytes, word_source = _word(array, file)
    mac_pj = number(array, "unit_energy", "operational_array", file)
    dataflow, dataflow_source = _dataflow(content, private)
    name = str(title or content.get("name") or "accelerator")[:200]
    bits = 8 * word_bytes
    document = {
        "schema": "chiplet-package/1",
        "slug": slug_of(name, "accelerator"),
        "title": name,
        "summary": f"One accelerator of {elements} processing elements, read from a hardware file of ZigZag.",
        "source": f"{file} (hardware of ZigZag)"[:2000],
        "package": {"rows": 1, "columns": 1, "layout": ["A"]},
        "chiplets": {
            "A": {
                "dataflow": dataflow,
                "processing_elements": elements,
                "noc_bandwidth_elements_per_cycle": sum(each.read_bits_per_cycle for each in shared) / bits,
                "noc_hop_latency_cycles": max(each.latency_cycles for each in shared),
                "buffer_mib": sum(each.size_bits for each in shared) / 8 / 2**20,
            }
        },
        "network_on_package": {"bandwidth_gb_per_s": 1.0, "hop_latency_ns": 0.0, "energy_pj_per_bit_per_hop": 0.0},
        "off_chip_memory": {
            "bandwidth_gb_per_s_per_interface": dram.read_bits_per_cycle / 8 * asked["clock_mhz"] / 1e3,
            "latency_ns": dram.latency_cycles / asked["clock_mhz"] * 1e3,
            "energy_pj_per_bit": dram.energy_pj_per_bit,
            "interface_sides": ["left"],
        },
        "arithmetic": {
            "mac_energy_pj": mac_pj,
            "level1_access_energy_macs": mean_energy(private) * bits / mac_pj,
            "level2_access_energy_macs": mean_energy(shared) * bits / mac_pj,
        },
        "clock_mhz": float(asked["clock_mhz"]),
        "process_node_nm": float(asked["process_node_nm"]),
        "word_bytes": word_bytes,
        "sources": _sources(dram, shared, private, dataflow_source, word_source),
    }  # fmt: skip
    return document, _notes(content, array, private, others, dataflow_source, word_source)


# -- parts --------------------------------------------------------------------------------------------------------------


def _array(array: Mapping[str, Any], file: str) -> tuple[int, frozenset[str]]:
    dimensions, sizes = array.get("dimensions"), array.get("sizes")
    if not isinstance(dimensions, list) or not all(isinstance(each, str) for each in dimensions):
        raise HardwareError(file, "operational_array.dimensions", dimensions, "a list of names such as D1, D2")
    if (
        not isinstance(sizes, list)
        or len(sizes) != len(dimensions)
        or any(type(each) is not int or each < 1 for each in sizes)
    ):
        raise HardwareError(
            file, "operational_array.sizes", sizes, f"a list of {len(dimensions)} whole numbers of at least 1"
        )
    elements = math.prod(sizes)
    if elements < 16:
        raise HardwareError(file, "operational_array.sizes", sizes, "an array of at least 16 processing elements")
    return elements, frozenset(dimensions)


def _dataflow(content: Mapping[str, Any], private: Sequence[Memory]) -> tuple[str, str]:
    """Return the dataflow whose loops lie on the array, or that of what stays longest next to each multiplier."""
    mapped = content.get("dataflows")
    loops = set(re.findall(r"\b([A-Z]+), *\d+", str(list(mapped.values())))) if isinstance(mapped, Mapping) else set()
    if loops & {"OX", "OY"}:
        return "shi-diannao", f"dataflows: {', '.join(sorted(loops))} over the array"
    if {"K", "C"} <= loops:
        return "nvdla", f"dataflows: {', '.join(sorted(loops))} over the array"
    weights = max((each.size_bits for each in private if "I2" in each.operands), default=0)
    outputs = max((each.size_bits for each in private if "O" in each.operands), default=0)
    if outputs > weights:
        return "shi-diannao", "assumed: the file maps no loops; outputs have the largest memory at each multiplier"
    return "nvdla", "assumed: the file maps no loops; weights have the largest memory at each multiplier"


def _word(array: Mapping[str, Any], file: str) -> tuple[int, str]:
    precision = array.get("input_precision")
    if precision is None:
        return 1, "assumed; the file states no precision"
    if (
        not isinstance(precision, list)
        or not all(type(each) is int and 0 < each <= 64 for each in precision)
        or not precision
    ):
        raise HardwareError(file, "operational_array.input_precision", precision, "a list of bits, from 1 to 64")
    return -(-max(precision) // 8), "read: operational_array.input_precision, whole bytes"


def _sources(
    dram: Memory, shared: Sequence[Memory], private: Sequence[Memory], dataflow: str, word: str
) -> dict[str, str]:
    buffers, registers = ", ".join(each.name for each in shared), ", ".join(each.name for each in private) or "none"
    return {
        "package": "derived: one accelerator is one chiplet",
        "chiplets.*.dataflow": dataflow if dataflow.startswith("assumed") else f"derived: {dataflow}",
        "chiplets.*.processing_elements": "derived: operational_array.sizes",
        "chiplets.*.noc_bandwidth_elements_per_cycle": f"derived: read width of {buffers}",
        "chiplets.*.noc_hop_latency_cycles": f"derived: latency of {buffers}",
        "chiplets.*.buffer_mib": f"derived: size of {buffers}",
        "network_on_package": "assumed; a single chiplet has no link",
        "off_chip_memory": f"derived: {dram.name}, at the clock that was given",
        "off_chip_memory.interface_sides": "assumed; a single chiplet has one interface",
        "arithmetic.mac_energy_pj": "read: operational_array.unit_energy",
        "arithmetic.level1_access_energy_macs": f"derived: mean of reading and writing, {registers}",
        "arithmetic.level2_access_energy_macs": f"derived: mean of reading and writing, {buffers}",
        "clock_mhz": "given at the import; such files state none",
        "process_node_nm": "given at the import; such files state none",
        "word_bytes": word,
    }


def _notes(
    content: Mapping[str, Any],
    array: Mapping[str, Any],
    private: Sequence[Memory],
    others: Sequence[Memory],
    dataflow: str,
    word: str,
) -> list[str]:
    """Return the notes on values without a counterpart and on assumptions."""
    notes = [f"Dataflow, {dataflow}. A copy of the package can be edited."] if dataflow.startswith("assumed") else []
    notes += ["One byte per element is assumed: the file states no precision."] if word.startswith("assumed") else []
    notes += [
        f"{each.name} ({each.size_bits / 8:.4g} B) has no counterpart and is left out. It is not at each "
        "multiplier and is not the outermost buffer of an operand."
        for each in others
    ]
    if private:
        sizes = ", ".join(f"{each.name} {each.size_bits / 8:.4g} B" for each in private)
        notes.append(f"Memory sizes at each multiplier have no counterpart; their energies count: {sizes}.")
    else:
        notes.append("No memory lies at each multiplier: level 1 costs nothing.")
    memory_keys = {str(key) for entry in content["memories"].values() for key in entry if key not in _MEMORY_USED}
    array_keys = set(array) - {"dimensions", "sizes", "unit_energy", "input_precision", "is_imc"}
    rest = set(content) - {"name", "memories", "operational_array", "dataflows"}
    left = sorted(
        {f"memories.*.{key}" for key in memory_keys} | {f"operational_array.{key}" for key in array_keys} | rest
    )
    if left:
        notes.append(f"Left out, as it has no meaning here: {', '.join(left)}.")
    notes.append(
        "Which port serves which operand, and the shape of the array, have no counterpart: the array counts as its elements."
    )
    return notes
