from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.cost.silicon.costs import LargeDies, Money, large_die_money
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.package_cost import (
    chiplet_bumps,
    chiplet_mm2,
    hub_bumps,
    hub_mm2,
    large_die_of,
    largest_mm2,
    micro_bumps,
    money_of,
    port_bumps,
)
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs

SYSTEM = load_chiplet_system(builtin_chiplet_systems()["neksus-phone"])


APART = tuple((name,) for name in SYSTEM.blocks)


def package(topology: str = "crossbar", chain_length: int = 4, serdes: int = 6, bits: int = 128) -> PackageDesign:
    return PackageDesign(topology, APART, chain_length, serdes, bits, "direct", frozenset())


def test_micro_bumps_by_hand() -> None:
    one = package()
    assert port_bumps(package(serdes=1)) == 256 and port_bumps(one) == 43
    assert chiplet_bumps(SYSTEM, one) == 44  # the published number, with one for the hand-shake
    assert hub_bumps(SYSTEM, one) == 3 * 43 + 12
    assert micro_bumps(SYSTEM, one) == 12 * 44 + 3 * 43 + 12
    assert hub_bumps(SYSTEM, package(chain_length=2)) == 6 * 43 + 12
    assert chiplet_bumps(SYSTEM, package(chain_length=2)) == 44
    # Chiplets with a port of their own hand nothing on.
    assert chiplet_bumps(SYSTEM, package(chain_length=1)) == 43
    assert hub_bumps(SYSTEM, package(chain_length=1)) == 12 * 43
    wide = replace(SYSTEM, channel=replace(SYSTEM.channel, handshake_bumps=3))
    assert chiplet_bumps(wide, one) == 46 and hub_bumps(wide, one) == 3 * 43 + 12 * 3


def money(*bought: int) -> Money:
    costs = load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])
    return money_of(SYSTEM, costs, [PackageDesign("crossbar", APART, 4, 6, 128, "direct", frozenset(bought))])


def test_a_bought_block_saves_its_design_its_verification_and_its_share_of_the_masks() -> None:
    costs = load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])
    process, none, one = costs.processes["28nm"], money(), money(3)
    area = chiplet_mm2(SYSTEM, package())
    gates = area[3] * (1 + costs.chiplet_area_overhead) * process.gates_per_mm2
    assert (none.design_usd - one.design_usd)[0] == pytest.approx(gates * costs.new_chiplet.usd)
    verified = costs.new_block.usd * costs.verification_share / (1 - costs.verification_share)
    assert (none.verification_usd - one.verification_usd)[0] == pytest.approx(gates * verified)
    share = area[3] / (sum(area) + hub_mm2(SYSTEM, package()))
    assert (none.masks_usd - one.masks_usd)[0] == pytest.approx(share * process.mask_set_usd)
    # Pieces that are made cost the same whoever designed them.
    assert none.each_usd[0] == one.each_usd[0]
    # What is saved adds up block by block.
    saved = [(none.once_usd - money(number).once_usd)[0] for number in (3, 5)]
    assert (none.once_usd - money(3, 5).once_usd)[0] == pytest.approx(sum(saved))


def test_areas_by_hand() -> None:
    # A hub of 8 mm2 has 16 ports; mini-chains of four need three of them.
    one, bump_mm2 = package(), SYSTEM.channel.bump_mm2
    assert (SYSTEM.hub.area_mm2, SYSTEM.hub.ports, one.ports) == (8.0, 16, 3)
    assert hub_mm2(SYSTEM, one) == pytest.approx(8 * 3 / 16 + (3 * 43 + 12) * bump_mm2)
    assert chiplet_mm2(SYSTEM, one) == pytest.approx(
        [block.area_mm2 + 44 * bump_mm2 for block in SYSTEM.blocks.values()]
    )
    assert largest_mm2(SYSTEM, one) == max(chiplet_mm2(SYSTEM, one))
    assert largest_mm2(SYSTEM, package(chain_length=1)) == hub_mm2(SYSTEM, package(chain_length=1))


def test_the_large_die_has_all_blocks_in_the_process_of_most_silicon() -> None:
    costs = load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])
    blocks = dict(SYSTEM.blocks)
    (first, one), (second, two), *_ = blocks.items()
    moved = replace(
        SYSTEM, blocks={**blocks, first: replace(one, process="older"), second: replace(two, process="older")}
    )
    reused = sum(block.for_sale for block in blocks.values())
    dies = LargeDies("28nm", np.array([48.0]), np.array([12.0 - reused]), np.array([float(reused)]))
    expected = large_die_money(costs, dies)
    for system in (SYSTEM, moved):
        found = large_die_of(system, costs)
        assert (found.once_usd.tolist(), found.each_usd.tolist()) == (
            expected.once_usd.tolist(),
            expected.each_usd.tolist(),
        )
