"""Times and energies of a chain by hand, under the three data flows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.methods.neksus.dataflow import ENERGY_PARTS, traffic_of
from engines.methods.neksus.design import PackageDesign
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.chiplet_system.model import ApplicationChain, ChipletSystem

SYSTEM = load_chiplet_system(builtin_chiplet_systems()["neksus-phone"])
# 1 MB per frame: video decoder 375 us (12 cycles of 2 ns for 64 bytes), display controller 156.25 us.
CHAIN = ApplicationChain(("vd", "dc"), (1e6,), 10.0, 1e-3)


def package(flow: str, serdes: int = 6) -> PackageDesign:
    chiplets = tuple((name,) for name in SYSTEM.blocks)
    return PackageDesign("crossbar", chiplets, 1, serdes, 128, flow, frozenset())


def alone(flow: str, system: ChipletSystem = SYSTEM) -> float:
    return traffic_of(system, [CHAIN], package(flow)).latency_s


def test_block_to_block_the_slowest_stage_sets_the_time() -> None:
    traffic = traffic_of(SYSTEM, [CHAIN], package("direct"))
    timing = traffic.chains[0]
    assert timing.compute_s == pytest.approx([375e-6, 156.25e-6])
    # 1,024 bytes in 65 flits of one cycle of 0.5 ns.
    assert timing.transfer_s == pytest.approx([1e6 / 1024 * 65 * 0.5e-9])
    assert timing.latency_s == pytest.approx(375e-6, rel=2e-3) and timing.latency_s > 375e-6
    assert traffic.busiest == pytest.approx(10 * 1e6 / 1024 * 65 * 0.5e-9)
    assert traffic.on_time == 1


def test_via_memory_blocks_work_one_after_the_other() -> None:
    # The decoder waits for nobody, the controller reads at 11 GB/s while it computes.
    assert alone("memory") == pytest.approx(375e-6 + 156.25e-6, rel=2e-3)
    slow = replace(SYSTEM, memory=replace(SYSTEM.memory, bytes_per_s=2e9))
    # 1 MB at what the other access leaves of 2 GB/s, which is asked for 20 MB/s.
    access_s = 1e6 / (2e9 * (1 - 0.005))
    assert alone("memory", slow) == pytest.approx(2 * access_s, rel=2e-3)


def test_frames_miss_their_deadline_in_proportion() -> None:
    late = replace(CHAIN, deadline_s=100e-6)
    traffic = traffic_of(SYSTEM, [late], package("direct"))
    assert traffic.on_time == pytest.approx(100e-6 / traffic.latency_s)


def test_more_than_a_channel_carries_is_shared() -> None:
    fast = replace(SYSTEM, blocks={name: replace(block, seconds_per_byte=0.0) for name, block in SYSTEM.blocks.items()})
    chains = [replace(CHAIN, frames_per_s=25_000.0), ApplicationChain(("cam", "dc"), (1e6,), 25_000.0, 1e-3)]
    traffic = traffic_of(fast, chains, package("direct"))
    alone_s = 1e6 / 1024 * 65 * 0.5e-9
    assert traffic.busiest == pytest.approx(2 * 25_000 * alone_s) and traffic.busiest > 1
    assert traffic.chains[0].transfer_s == pytest.approx([2 * alone_s])
    assert traffic.on_time < 1


def test_a_block_of_two_chains_is_shared() -> None:
    # The image processor would be busy for 0.8 of the time for each: both get half of it.
    chains = [ApplicationChain(("img", end), (1e6,), 1600.0, 1e-3) for end in ("dc", "mmc")]
    timing = traffic_of(SYSTEM, chains, package("direct")).chains[0]
    alone_s = 1e6 * 16 / 64 / 500e6
    assert timing.compute_s[0] == pytest.approx(2 * alone_s)
    assert timing.on_time == pytest.approx(1 / (2 * 1600 * alone_s))


def test_energy_by_hand() -> None:
    traffic = traffic_of(SYSTEM, [CHAIN], package("memory"))
    parts = dict(zip(ENERGY_PARTS, traffic.energy_w, strict=True))
    bits = 10 * 8e6
    assert traffic.bits_per_s == bits
    assert parts["Memory"] == pytest.approx(2 * bits * 10e-12)
    on_wire = 2 * 10 * 1e6 / 64 * 5 * 128  # packets of 64 bytes in 5 flits, there and back
    assert parts["Wires"] == pytest.approx(on_wire * 2 * 0.14e-12)
    assert parts["SerDes"] == pytest.approx(on_wire * 4 * 0.042e-12)
    assert parts["Routers"] == pytest.approx(on_wire / 128 * 31.17e-12)
    assert parts["Always on"] == pytest.approx(8.14e-3 + 12 * 2.5e-3)
    assert traffic_of(SYSTEM, [CHAIN], package("memory", serdes=1)).energy_w[2] == 0
