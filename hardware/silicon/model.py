"""Costs of making silicon, in plain units: US dollars, square millimetres, defects per square metre, shares of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MaskRule = Literal["share", "one-set", "set-each"]
_MM2_PER_M2 = 1e6


@dataclass(frozen=True)
class Process:
    """In which dies are made.

    Attributes:
        wafer_usd, mask_set_usd: price of a processed wafer and of a full mask set.
        defects_per_mm2: density.
        critical_share: critical share of a die, in which a defect counts.
        gates_per_mm2: density of logic gates.
    """

    wafer_usd: float
    mask_set_usd: float
    defects_per_mm2: float
    critical_share: float
    gates_per_mm2: float


@dataclass(frozen=True)
class Interposer:
    """The interposer that carries the chiplets; `area_overhead` is a share of the area of all chiplets."""

    wafer_usd: float
    defects_per_mm2: float
    critical_share: float
    area_overhead: float


@dataclass(frozen=True)
class Effort:
    """The cost of designing one gate, with labour and tools."""

    front_end_usd: float
    back_end_usd: float

    @property
    def usd(self) -> float:
        """Front and back end."""
        return self.front_end_usd + self.back_end_usd


@dataclass(frozen=True)
class SiliconCosts:
    """Everything that making one monolithic die, or a package of chiplets, costs.

    Attributes:
        wafer_diameter_mm: diameter of every wafer.
        reticle_mm: width and height of what can be exposed at once.
        processes: name -> process.
        clustering: alpha of the negative binomial yield (goyal-2023 eq. 6.1).
        new_block, reused_block, new_chiplet: effort per gate of a block of one monolithic die, of a soft core there, of a chiplet.
        top_level_gates: for integration, per block or chiplet.
        licence_usd: per reused block of one monolithic die.
        verification_share: share of verification in the design costs of new blocks.
        chiplet_masks: number of mask sets for new chiplets.
        bonding_usd, bond_yield: per chiplet.
        chiplet_area_overhead: share on top of a chiplet's area.
        die_test_usd_per_mm2, interposer_test_usd_per_mm2, interposer_test_usd, probing_usd: tests.
        sources: dotted key of a figure -> where it is from.
    """

    slug: str
    title: str
    wafer_diameter_mm: float
    reticle_mm: tuple[float, float]
    processes: Mapping[str, Process]
    interposer: Interposer
    clustering: float
    new_block: Effort
    reused_block: Effort
    new_chiplet: Effort
    top_level_gates: float
    licence_usd: float
    verification_share: float
    chiplet_masks: MaskRule
    bonding_usd: float
    bond_yield: float
    chiplet_area_overhead: float
    die_test_usd_per_mm2: float
    interposer_test_usd_per_mm2: float
    interposer_test_usd: float
    probing_usd: float
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def reticle_mm2(self) -> float:
        """The largest die."""
        return self.reticle_mm[0] * self.reticle_mm[1]


def per_mm2(per_m2: float) -> float:
    """Return a density of square metres in square millimetres."""
    return per_m2 / _MM2_PER_M2
