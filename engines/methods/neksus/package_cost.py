"""Micro-bumps and cost of packages."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engines.cost.silicon.costs import Chiplets, LargeDies, Money, large_die_money, package_money
from engines.methods.neksus.design import PackageDesign
from hardware.chiplet_system.model import ChipletSystem
from hardware.silicon.model import SiliconCosts


def port_bumps(design: PackageDesign) -> int:
    """Return the micro-bumps of a port, both directions (goyal-2023 section 6.2.4: 256 without SerDes, 43 at 6:1)."""
    return math.ceil(2 * design.channel_bits / design.serdes_ratio)


def chiplet_bumps(system: ChipletSystem, design: PackageDesign) -> int:
    """Return the bumps of one chiplet, with its hand-shake link where it stands in a mini-chain."""
    return port_bumps(design) + (system.channel.handshake_bumps if design.chain_length > 1 else 0)


def hub_bumps(system: ChipletSystem, design: PackageDesign) -> int:
    """Return the bumps of the hub: a port for each mini-chain, a hand-shake link for each chiplet."""
    handshakes = len(design.chiplets) * system.channel.handshake_bumps if design.chain_length > 1 else 0
    return design.ports * port_bumps(design) + handshakes


def micro_bumps(system: ChipletSystem, design: PackageDesign) -> int:
    """Return the bumps of the package: each connection has one at the chiplet and one at the hub or the next chiplet."""
    return len(design.chiplets) * chiplet_bumps(system, design) + hub_bumps(system, design)


def hub_mm2(system: ChipletSystem, design: PackageDesign) -> float:
    """Return the area of the hub: in proportion to its ports, and its micro-bumps."""
    own = system.hub.area_mm2 * design.ports / system.hub.ports
    return own + hub_bumps(system, design) * system.channel.bump_mm2


def chiplet_mm2(system: ChipletSystem, design: PackageDesign) -> list[float]:
    """Return the areas of the chiplets with their micro-bumps."""
    bumps_mm2 = chiplet_bumps(system, design) * system.channel.bump_mm2
    return [sum(system.blocks[name].area_mm2 for name in blocks) + bumps_mm2 for blocks in design.chiplets]


def largest_mm2(system: ChipletSystem, design: PackageDesign) -> float:
    """Return the area of the largest die of a package."""
    return max(*chiplet_mm2(system, design), hub_mm2(system, design))


def money_of(system: ChipletSystem, costs: SiliconCosts, designs: Sequence[PackageDesign]) -> Money:
    """Return the monetary cost of packages whose chiplets are made in the same processes, in order, the hub last."""
    processes = (*(system.blocks[blocks[0]].process for blocks in designs[0].chiplets), system.hub.process)
    area = np.array([[*chiplet_mm2(system, each), hub_mm2(system, each)] for each in designs])
    bought = np.array([
        [*(number in each.bought for number in range(len(each.chiplets))), system.hub.for_sale] for each in designs
    ])  # fmt: skip
    return package_money(costs, Chiplets(processes, area, np.ones_like(area), (~bought).astype(np.float64)))


def large_die_of(system: ChipletSystem, costs: SiliconCosts) -> Money:
    """Return the cost of all blocks on one monolithic die, those for sale bought as soft cores; in the process of most silicon."""
    blocks = list(system.blocks.values())
    silicon: dict[str, float] = {}
    for block in blocks:
        silicon[block.process] = silicon.get(block.process, 0.0) + block.area_mm2
    process = max(silicon, key=lambda name: silicon[name])
    area, reused = sum(silicon.values()), sum(block.for_sale for block in blocks)
    new = np.array([float(len(blocks) - reused)])
    return large_die_money(costs, LargeDies(process, np.array([area]), new, np.array([float(reused)])))
