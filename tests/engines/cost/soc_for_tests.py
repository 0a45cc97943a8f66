"""A small board and a calibration in round figures."""

from __future__ import annotations

from typing import Any

from engines.cost.soc.operations import OperationTable, operation_table
from engines.workloads.loader import load_network
from hardware.calibration.model import Parameter, SocCalibration
from hardware.soc.loader import load_soc
from hardware.soc.model import Soc

VALUES = {
    "gpu.dense_share": 0.5,
    "gpu.memory_share": 0.5,
    "gpu.launch_us": 10.0,
    "gpu.base_power_w": 4.0,
    "gpu.mac_energy_pj": 2.0,
    "npu.dense_share": 0.25,
    "npu.memory_share": 1.0,
    "npu.launch_us": 20.0,
    "npu.base_power_w": 1.0,
    "npu.mac_energy_pj": 1.0,
    "memory_energy_pj_per_byte": 10.0,
    "handover_us": 5.0,
    "lowest_voltage_share": 0.5,
    "leakage_share": 0.5,
    "launch_paced_share": 0.5,
}
ALL_KINDS = frozenset({"conv", "gemm", "matmul", "eltwise", "pool", "gather"})


def board() -> Soc:
    """The board of `board_content`."""
    return load_soc(board_content())


def board_content() -> dict[str, Any]:
    """CPU 1 and 2 GHz; GPU 500 and 1000 MHz, 200 fp16 operations per cycle; NPU 1000 MHz; memory 1 and 2 GHz of 10 B."""
    return {
        "schema": "soc/1",
        "slug": "board",
        "title": "Board",
        "source": "a test",
        "units": {
            "cpu": {"kind": "cpu", "frequencies_mhz": [1000.0, 2000.0]},
            "gpu": {
                "kind": "gpu", "frequencies_mhz": [500.0, 1000.0], "operations_per_cycle": {"fp16": 200.0, "int8": 400.0}
            },
            "npu": {"kind": "npu", "frequencies_mhz": [1000.0], "operations_per_cycle": {"fp16": 100.0}},
        },
        "memory": {"frequencies_mhz": [1000.0, 2000.0], "bytes_per_cycle": 10.0},
        "power_modes": {"low": {"memory_highest_frequency_mhz": 1000.0, "units": {"gpu": {"highest_frequency_mhz": 510.0}}}},
        "sources": {"units": "a test", "memory": "a test", "power_modes": "a test"},
    }  # fmt: skip


def calibration(**changes: float) -> SocCalibration:
    """The calibration of the board; values changed by name, dots as "__"."""
    values = VALUES | {name.replace("__", "."): value for name, value in changes.items()}
    return SocCalibration(
        slug="round",
        title="Round figures",
        source="a test",
        author="a test",
        soc="board",
        precision="fp16",
        launcher="cpu",
        parameters={name: Parameter(name, value, "assumed") for name, value in values.items()},
        covered={"gpu": ALL_KINDS, "npu": ALL_KINDS - {"gather"}},
        rows=(),
    )


def network_content(*operations: dict[str, Any], slug: str = "net") -> dict[str, Any]:
    """A network document."""
    head = {"schema": "network/1", "slug": slug, "title": slug, "short_title": slug[:12], "source": "a test"}
    return head | {"operations": list(operations)}


def table(*operations: dict[str, Any]) -> OperationTable:
    """The table of a network of those operations."""
    return operation_table(load_network(network_content(*operations)).operations)


# 1,000,000 MACs; 100 + 10,000 weights, 1000 inputs and 1000 outputs.
GEMM: dict[str, Any] = {"name": "gemm", "kind": "gemm", "k": 100, "c": 100, "y": 100}
ELTWISE: dict[str, Any] = {"name": "add", "kind": "eltwise", "input_elements": 20_000, "output_elements": 10_000}
GATHER: dict[str, Any] = {"name": "pick", "kind": "gather", "input_elements": 10_000, "output_elements": 10_000}
