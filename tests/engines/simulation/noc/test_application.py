"""Chains on chiplets: throughput by hand, back-pressure, the memory's limits."""

import numpy as np
import pytest

from engines.simulation.noc.application import (
    Application,
    Flow,
    MemoryController,
    Stage,
    application_simulation,
    run_application,
)
from engines.simulation.noc.networks import crossbar_hub, mesh

HUB = crossbar_hub(8, ports=2)


def chain(*cycles: int, name: str = "video", first: int = 0, **more: object) -> Flow:
    return Flow(name, tuple(Stage(first + place, count) for place, count in enumerate(cycles)), **more)  # type: ignore[arg-type]


@pytest.mark.long
def test_a_ring_passes_a_subframe_every_66_cycles() -> None:
    # 64 flits and a head, and one cycle to set the forward and receive bits: 1024 bytes in 66 cycles, 31.03 GB/s at 2 GHz.
    outcome = run_application(HUB, Application((chain(1, 1),)), 20_000)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 66, rel=0.005)
    assert outcome.bytes_per_cycle[0] * 2 == pytest.approx(31.03, rel=0.005)


def test_the_slowest_stage_decides() -> None:
    outcome = run_application(HUB, Application((chain(100, 400, 50),)), 40_000)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 400, rel=0.02)
    assert outcome.busy[0] == pytest.approx((0.25, 1.0, 0.125), rel=0.03)


def test_a_source_keeps_its_pace() -> None:
    outcome = run_application(HUB, Application((chain(100, 100, cycles_between_starts=1000),)), 50_000)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 1000, rel=0.03)


def test_a_stage_that_compresses_passes_on_less() -> None:
    flow = Flow("record", (Stage(0, 10), Stage(1, 100, inputs_per_output=4), Stage(2, 10)))
    outcome = run_application(HUB, Application((flow,)), 60_000)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 400, rel=0.03)


def test_a_chiplet_in_two_chains_shares_its_time() -> None:
    flows = (
        Flow("preview", (Stage(0, 300), Stage(1, 10))),
        Flow("photo", (Stage(0, 300), Stage(2, 10))),
    )
    outcome = run_application(HUB, Application(flows), 60_000)
    assert outcome.subframes_per_cycle == pytest.approx((1 / 600, 1 / 600), rel=0.03)


def test_the_memory_moves_every_part_twice() -> None:
    flow = chain(1, 1, data_flow="via memory")
    controller = MemoryController(7, access_cycles=20)
    outcome = run_application(HUB, Application((flow,), controller), 60_000)
    # 16 parts of 64 bytes, written and read, 20 cycles each, a cycle between them.
    assert outcome.memory_busy > 0.93
    assert outcome.subframes_per_cycle[0] == pytest.approx(outcome.memory_accesses_per_cycle / 32, rel=0.02)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 640, rel=0.05)


def test_within_a_chiplet_nothing_goes_over_the_network() -> None:
    # Two blocks of a chiplet work at the same time, that beside the memory reads its 16 parts one a cycle.
    direct = Flow("one chiplet", (Stage(0, 40, unit=0), Stage(0, 50, unit=1)))
    stored = Flow("at the memory", (Stage(7, 10, unit=2), Stage(7, 10, unit=3)), "via buffer")
    outcome = run_application(HUB, Application((direct, stored), MemoryController(7)), 20_000)
    assert outcome.subframes_per_cycle == pytest.approx((1 / 50, 1 / 16), rel=0.03)
    assert outcome.segment_load.max() == outcome.flit_hops_per_cycle == 0


def test_a_stage_that_expands_works_on_what_it_puts_out() -> None:
    flow = Flow("show", (Stage(0, 10), Stage(1, 100, outputs_per_input=8), Stage(2, 10)))
    outcome = run_application(HUB, Application((flow,)), 60_000)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 100, rel=0.03)
    assert outcome.source_subframes_per_cycle[0] == pytest.approx(1 / 800, rel=0.03)


def test_stages_over_memory_settle_at_one_pace() -> None:
    flow = chain(1, 500, 1, data_flow="via memory")
    outcome = run_application(HUB, Application((flow,), MemoryController(7)), 60_000)
    assert outcome.subframes_per_cycle[0] == pytest.approx(1 / 500, rel=0.03)
    assert outcome.memory_accesses_per_cycle == pytest.approx(2 * 2 * 16 / 500, rel=0.05)


def test_direct_beats_the_buffer_and_the_buffer_the_memory() -> None:
    rates = []
    for data_flow in ("direct", "via buffer", "via memory"):
        flows = tuple(chain(1, 1, name=str(first), first=first, data_flow=data_flow) for first in (0, 2))
        rates.append(sum(run_application(HUB, Application(flows, MemoryController(7)), 30_000).subframes_per_cycle))
    assert rates[0] > 2 * rates[1] > 2 * rates[2]


def test_a_mesh_works_too_and_nothing_is_left_behind() -> None:
    flow = chain(50, 60, 70, data_flow="via memory")
    outcome = run_application(mesh(3, 3), Application((flow,), MemoryController(8)), 30_000, log_rows=1000)
    assert outcome.subframes_per_cycle[0] > 0
    assert set(outcome.steps[:, 4]) >= {-1, -2, -3, -4}


def test_it_is_the_same_when_saved_and_gone_on_with() -> None:
    application = Application((chain(30, 40, data_flow="via memory"),), MemoryController(7))
    whole, first, later = (application_simulation(HUB, application) for _ in range(3))
    whole.advance(4000)
    first.advance(1234)
    later.restore(first.snapshot())
    later.advance(4000 - 1234)
    np.testing.assert_array_equal(whole.state.memory, later.state.memory)


def test_what_cannot_run_is_refused() -> None:
    loop = Flow("loop", (Stage(0, 1), Stage(1, 1), Stage(0, 1)))
    with pytest.raises(ValueError, match="must not have loops"):
        run_application(HUB, Application((loop,)))
    with pytest.raises(ValueError, match="chiplet 9 is not there"):
        run_application(HUB, Application((Flow("far", (Stage(9, 1),)),)))
    with pytest.raises(ValueError, match="need a memory controller"):
        run_application(HUB, Application((chain(1, 1, data_flow="via buffer"),)))
    with pytest.raises(ValueError, match="data_flow must be one of"):
        run_application(HUB, Application((chain(1, 1, data_flow="by post"),)))
    with pytest.raises(ValueError, match="cycles_per_subframe must be at least 1"):
        run_application(HUB, Application((chain(0),)))
    with pytest.raises(ValueError, match="banks must be at least 1"):
        run_application(HUB, Application((chain(1),), MemoryController(7, banks=0)))
    with pytest.raises(ValueError, match="1 to 4095 stages"):
        run_application(HUB, Application(()))
