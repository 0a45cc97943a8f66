"""Two small accelerators in ZigZag's two forms, with round figures of our own."""

from __future__ import annotations

from typing import Any


def memory(
    size: int, width: int, cost: tuple[float, float], operands: list[str], serves: list[str], **more: Any
) -> dict[str, Any]:
    """A memory in the older form."""
    return {
        "size": size, "r_bw": width, "w_bw": width, "r_cost": cost[0], "w_cost": cost[1], "area": 0, "r_port": 1, "w_port": 1,
        "rw_port": 0, "latency": 1, "operands": operands, "ports": [{"fh": "w_port_1", "tl": "r_port_1"}],
        "served_dimensions": serves, **more,
    }  # fmt: skip


OLDER: dict[str, Any] = {
    "name": "Small array",
    "memories": {
        "weight_reg": memory(128, 8, (0.1, 0.1), ["I2"], []),
        "output_reg": memory(16, 16, (0.4, 0.4), ["O"], []),
        "row_buffer": memory(2048, 32, (2.0, 2.0), ["I1"], ["D1"]),
        "sram": memory(65536 * 8, 128, (25.6, 32), ["I1", "I2", "O"], ["D1", "D2"]),
        "dram": memory(10**10, 64, (640, 704), ["I1", "I2", "O"], ["D1", "D2"], latency=10),
    },
    "operational_array": {"unit_energy": 0.5, "unit_area": 1, "dimensions": ["D1", "D2"], "sizes": [8, 8]},
}


def port(width: int, *allocation: str) -> dict[str, Any]:
    """A port in the newer form."""
    return {
        "name": "rw_port_1",
        "type": "read_write",
        "bandwidth_min": 8,
        "bandwidth_max": width,
        "allocation": list(allocation),
    }


def ported(size: int, width: int, operands: list[str], serves: list[str], **more: Any) -> dict[str, Any]:
    """A memory in the newer form."""
    return {
        "size": size, "r_cost": 10.0, "w_cost": 12.0, "area": 0.0, "latency": 1, "mem_type": "sram", "auto_cost_extraction": False,
        "operands": operands, "ports": [port(width, *(f"{each}, tl" for each in operands))], "served_dimensions": serves, **more,
    }  # fmt: skip


NEWER: dict[str, Any] = {
    "name": "ported",
    "memories": {
        "weights": ported(32768 * 8, 64, ["I2"], ["D1", "D2"]),
        "activations": ported(32768 * 8, 128, ["I1", "O"], ["D1", "D2"]),
        "dram": ported(10**10, 64, ["I1", "I2", "O"], ["D1", "D2"], mem_type="dram"),
    },
    "operational_array": {"unit_energy": 1.0, "dimensions": ["D1", "D2"], "sizes": [8, 4], "input_precision": [16, 16]},
    "dataflows": {"D1": ["OX, 8"], "D2": ["OY, 4"]},
}
