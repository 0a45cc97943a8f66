"""ZigZag 3.9.1 answers questions about layers; run by the tool's own Python, without the product's packages.

Input: a list of {"name", "sizes", "parallel", "word_bits", "bandwidth_bits", "buffer_bits", "stride", "loops"}. `sizes` has the
clusters and the elements of one, `parallel` the loops over them, `loops` the size of every loop. Output: a line of {"cycles",
"buffer_accesses", "off_chip_accesses"} each, in their order; accesses in words.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

_OPERANDS = ("I1", "I2", "O")
_DIRECTIONS = {"I1": ("fh", "tl"), "I2": ("fh", "tl"), "O": ("fh", "tl", "fl", "th")}
_LOOPS = ("K", "C", "OY", "OX", "FY", "FX")
_LONGEST_ORDER = 6  # loops that are permuted; ZigZag merges the smallest factors until no more are left
_FREE_BITS_PER_CYCLE = 10**9  # off chip, where moving is the caller's
_OFF_CHIP_BITS = 10**13


def searched(question: dict[str, Any], folder: Path) -> dict[str, float]:
    """Return cycles and accesses of the temporal mapping of least latency."""
    import yaml
    from zigzag.api import get_hardware_performance_zigzag

    paths = [folder / f"{part}.yaml" for part in ("workload", "array", "mapping")]
    for path, content in zip(paths, (_workload(question), _array(question), _mapping(question)), strict=True):
        path.write_text(yaml.safe_dump(content, sort_keys=False))  # memories are read from the array outwards
    *_, evaluations = get_hardware_performance_zigzag(
        *map(str, paths), opt="latency", dump_folder=str(folder), lpf_limit=_LONGEST_ORDER, loma_show_progress_bar=False
    )
    found = evaluations[0][0]
    words = question["bandwidth_bits"] / question["word_bits"]
    buffer = [levels[-2].data for levels in found.memory_word_access.values()]
    return {
        "cycles": float(found.latency_total2),
        "buffer_accesses": words * sum(each["rd_out_to_low"] + each["wr_in_by_low"] for each in buffer),
        "off_chip_accesses": words * sum(each["rd_out_to_high"] + each["wr_in_by_high"] for each in buffer),
    }


def _workload(question: dict[str, Any]) -> list[dict[str, Any]]:
    stride, loops = question["stride"], question["loops"]
    return [{
        "id": 0, "name": "layer", "operator_type": "Conv",
        "equation": "O[k][oy][ox]+=W[k][c][fy][fx]*I[c][iy][ix]",
        "dimension_relations": [f"ix={stride}*ox+1*fx", f"iy={stride}*oy+1*fy"],
        "loop_dims": list(_LOOPS), "loop_sizes": [loops[name] for name in _LOOPS],
        "operand_precision": dict.fromkeys(("W", "I", "O", "O_final"), question["word_bits"]),
        "operand_source": {"I": 0, "W": 0},
    }]  # fmt: skip


def _mapping(question: dict[str, Any]) -> list[dict[str, Any]]:
    parallel = {
        f"D{place}": [f"{loop}, {min(size, question['loops'][loop])}"]
        for place, (loop, size) in enumerate(zip(question["parallel"], question["sizes"], strict=True), 1)
    }
    links = {"O": "O", "W": "I2", "I": "I1"}
    return [{"name": "default", "spatial_mapping": parallel, "memory_operand_links": links}]


def _array(question: dict[str, Any]) -> dict[str, Any]:
    """Return registers of a weight and a partial sum per element, the shared buffer, and a memory off chip that is free."""
    word, wide = question["word_bits"], question["bandwidth_bits"]
    free = [_port("rw_port_1", "read_write", word, _FREE_BITS_PER_CYCLE, _OPERANDS, ("fh", "tl", "fl", "th"))]
    shared = [
        _port("r_port_1", "read", word, wide, _OPERANDS, ("tl", "th")),
        _port("w_port_1", "write", word, wide, _OPERANDS, ("fh", "fl")),
    ]
    names = (("read", "tl"), ("read", "th"), ("write", "fh"), ("write", "fl"))
    sums = [
        _port(f"{kind[0]}_port_{1 + place % 2}", kind, word, word, ("O",), (way,))
        for place, (kind, way) in enumerate(names)
    ]
    weights = [
        _port("r_port_1", "read", word, word, ("I2",), ("tl",)),
        _port("w_port_1", "write", word, word, ("I2",), ("fh",)),
    ]
    return {
        "name": "array",
        "memories": {
            "weights": _memory(word, ["I2"], weights, []),
            "sums": _memory(word, ["O"], sums, []),
            "buffer": _memory(question["buffer_bits"], list(_OPERANDS), shared, ["D1", "D2"]),
            "off_chip": _memory(_OFF_CHIP_BITS, list(_OPERANDS), free, ["D1", "D2"]),
        },
        "operational_array": {
            "unit_energy": 0.0,
            "unit_area": 0.0,
            "dimensions": ["D1", "D2"],
            "sizes": question["sizes"],
        },
    }


def _memory(bits: int, operands: list[str], ports: list[dict[str, Any]], served: list[str]) -> dict[str, Any]:
    free = {"r_cost": 0.0, "w_cost": 0.0, "area": 0.0, "latency": 1}  # energies are the caller's
    return {"size": bits, **free, "operands": operands, "ports": ports, "served_dimensions": served}


def _port(
    name: str, kind: str, least: int, most: int, operands: tuple[str, ...], ways: tuple[str, ...]
) -> dict[str, Any]:
    used = [f"{operand}, {way}" for operand in operands for way in ways if way in _DIRECTIONS[operand]]
    return {"name": name, "type": kind, "bandwidth_min": least, "bandwidth_max": most, "allocation": used}


def main() -> None:
    """Answer the questions on standard input."""
    logging.disable(logging.CRITICAL)
    questions = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # ZigZag prints bars and remarks
    for question in questions:
        with tempfile.TemporaryDirectory() as folder:
            answers.write(json.dumps(searched(question, Path(folder))) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
