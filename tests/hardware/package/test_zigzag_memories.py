"""Memories of an accelerator of ZigZag, worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.package.zigzag_memories import Memory, levels, mean_energy, number, read_memory

ARRAY = frozenset({"D1", "D2"})


def entry(**changes: Any) -> dict[str, Any]:
    usual = {"size": 1024, "r_bw": 8, "w_bw": 4, "r_cost": 1.6, "w_cost": 1.2, "latency": 1,
             "operands": ["I1", "O", "I9"], "served_dimensions": ["D1"]}  # fmt: skip
    return usual | changes


def memory(name: str, operands: str, serves: frozenset[str], energy: float = 1.0) -> Memory:
    return Memory(name, 8, 1, energy, 0, frozenset(operands.split()), serves)


def test_energy_is_per_bit_and_the_mean_of_reading_and_writing() -> None:
    found = read_memory("sram", entry(), "mine.yaml")
    assert found.energy_pj_per_bit == pytest.approx((1.6 / 8 + 1.2 / 4) / 2)
    assert found.read_bits_per_cycle == 8
    assert (found.operands, found.serves) == ({"I1", "O"}, {"D1"})


def test_the_widest_port_of_a_way_counts() -> None:
    ports = [
        {"type": "read", "bandwidth_max": 8},
        {"type": "read_write", "bandwidth_max": 16},
        {"type": "write", "bandwidth_max": 4},
    ]
    content = {key: value for key, value in entry(ports=ports).items() if key not in ("r_bw", "w_bw")}
    found = read_memory("sram", content, "mine.yaml")
    assert found.read_bits_per_cycle == 16
    assert found.energy_pj_per_bit == pytest.approx((1.6 + 1.2) / 16 / 2)
    with pytest.raises(HardwareError, match="a port of type write or read_write") as caught:
        read_memory("sram", content | {"ports": ports[:1]}, "mine.yaml")
    assert caught.value.key == "memories.sram.ports"


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"auto_cost_extraction": True}, "r_cost"),
        ({"w_cost": None}, "r_cost"),
        ({"r_cost": -1}, "r_cost"),
        ({"size": 0}, "size"),
        ({"size": True}, "size"),
        ({"r_bw": float("inf")}, "r_bw"),
        ({"w_bw": 1e16}, "w_bw"),
        ({"operands": "I1"}, "operands"),
        ({"served_dimensions": [1]}, "served_dimensions"),
    ],
)
def test_what_cannot_be_is_named(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(HardwareError) as caught:
        read_memory("sram", entry(**changes), "mine.yaml")
    assert caught.value.key == f"memories.sram.{key}"


def test_nought_is_a_number_only_where_it_may_be() -> None:
    assert number({"cost": 0}, "cost", "memories.a", "mine.yaml", least=0) == 0.0
    with pytest.raises(HardwareError, match="above 0"):
        number({"cost": 0}, "cost", "memories.a", "mine.yaml")


def test_levels_are_told_from_what_a_memory_serves() -> None:
    register, row = memory("register", "O", frozenset()), memory("row", "I1", frozenset({"D1"}))
    inner, outer = memory("inner", "I1 I2 O", ARRAY), memory("outer", "I1 O", ARRAY)
    dram = memory("dram", "I1 I2 O", ARRAY)
    found = levels([register, row, inner, outer, dram], ARRAY, "mine.yaml")
    assert found == (dram, [outer, inner], [register], [row]), "the outermost buffer of every operand is shared"


@pytest.mark.parametrize(
    ("memories", "key"),
    [
        ([], "memories"),
        ([memory("dram", "I1 O", ARRAY)], "memories.dram.operands"),
        ([memory("row", "I1 I2 O", frozenset({"D1"})), memory("dram", "I1 I2 O", ARRAY)], "memories"),
    ],
)
def test_dram_and_a_shared_buffer_are_needed(memories: list[Memory], key: str) -> None:
    with pytest.raises(HardwareError) as caught:
        levels(memories, ARRAY, "mine.yaml")
    assert caught.value.key == key


def test_the_mean_energy_takes_the_innermost_of_every_operand() -> None:
    memories = [memory("a", "I1", ARRAY, 1.0), memory("b", "I1 I2", ARRAY, 4.0)]
    assert mean_energy(memories) == pytest.approx((1.0 + 4.0) / 2)
    assert mean_energy([]) == 0.0
