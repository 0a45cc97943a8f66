"""The common parts of the comparisons: what is printed, readings, the published package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.space import by_traffic
from engines.reproduction.rows import Publication
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.chiplet_system.model import ChipletSystem
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from hardware.silicon.model import SiliconCosts

_CHAIN = 4
PUBLICATION = Publication(Path(__file__).parent, "goyal-2023")
BOOKSIM = Publication(Path(__file__).parent, "booksim-28f4329")
SHARE, ONE_SET, MORE_AREA = "masks by share", "one mask set", "10 % more area"
READINGS: Mapping[str, str] = MappingProxyType(
    {
        SHARE: (
            "New chiplets need the share of a mask set that they are of the silicon. The yield of a package is that of "
            "one new chiplet, all bonds and the whole interposer"
        ),
        ONE_SET: (
            "New chiplets need one full mask set. The yield of a package is that of all new chiplets, the hub, all "
            "bonds and the interposer's critical share"
        ),
        MORE_AREA: (
            "Like the first. In addition, redundant micro-bumps make new chiplets a tenth larger (section 6.3.3), "
            "chosen in sight of the published ratios"
        ),
    }
)


@cache
def system() -> ChipletSystem:
    """Return the published system of IP blocks."""
    return load_chiplet_system(builtin_chiplet_systems()["neksus-phone"])


@cache
def silicon() -> SiliconCosts:
    """Return the published silicon costs."""
    return load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])


def published_package(application: str, flow: str, topology: str = "crossbar", serdes_ratio: int = 6) -> PackageDesign:
    """Return the mini-chains of four on a crossbar, blocks that hand on to each other side by side.

    Other networks without chains.
    """
    order = by_traffic(tuple(system().blocks), system().applications[application].chains, _CHAIN)
    length = _CHAIN if topology == "crossbar" else 1
    return PackageDesign(topology, tuple((name,) for name in order), length, serdes_ratio, 128, flow, frozenset())
