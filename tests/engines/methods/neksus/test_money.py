from __future__ import annotations

import pytest

from engines.cost.silicon import Money
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.money import (
    chiplet_bumps,
    chiplet_mm2,
    hub_bumps,
    hub_mm2,
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
