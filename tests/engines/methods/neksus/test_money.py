from __future__ import annotations

from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.money import chiplet_bumps, hub_bumps, micro_bumps, port_bumps
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system

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
