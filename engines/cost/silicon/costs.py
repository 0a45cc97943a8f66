"""Cost of a system in money: paid once (masks, design, verification, licences), and per system (dies, assembly, test).

Source: goyal-2023, section 6.3 (Tables 6.1 to 6.3). Two ways to build a system are priced: all blocks on one large die, and
chiplets on a passive interposer. Chiplets and interposers are tested before they are assembled, so that a bad one costs itself
and not a system; a bad bond costs all that was put together.

Departures: section 6.5.1 divides what is paid once by the yield. Here it is shared by the systems that are sold
(`Money.per_system_usd`), and `startup_ratio` has the printed way. How many dies a wafer has is not printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.cost.silicon.yields import dies_per_wafer, powers, yield_of
from hardware.silicon.model import Process, SiliconCosts

ONCE = ("masks_usd", "design_usd", "integration_usd", "verification_usd", "licences_usd")
EACH = ("dies_usd", "interposer_usd", "assembly_usd", "test_usd", "lost_usd")
PART_TITLES = {
    "masks_usd": "Masks",
    "design_usd": "Design",
    "integration_usd": "Integration",
    "verification_usd": "Verification",
    "licences_usd": "Licences",
    "dies_usd": "Dies",
    "interposer_usd": "Interposer",
    "assembly_usd": "Assembly",
    "test_usd": "Test",
    "lost_usd": "Lost to defects",
}
_ROWS = 8192  # packages that are priced together: their columns stay in a processor's cache


@dataclass(frozen=True, eq=False)
class Money:
    """The cost of `n` systems, every array of shape `n`, in US dollars.

    Attributes:
        masks_usd, design_usd, integration_usd, verification_usd, licences_usd: one-time costs.
        dies_usd, interposer_usd, assembly_usd, test_usd, lost_usd: costs per good system; the last one is the loss by defects.
    """

    masks_usd: FloatArray
    design_usd: FloatArray
    integration_usd: FloatArray
    verification_usd: FloatArray
    licences_usd: FloatArray
    dies_usd: FloatArray
    interposer_usd: FloatArray
    assembly_usd: FloatArray
    test_usd: FloatArray
    lost_usd: FloatArray

    @property
    def once_usd(self) -> FloatArray:
        """Non-recurring expenses, shape `n`."""
        return self.masks_usd + self.design_usd + self.integration_usd + self.verification_usd + self.licences_usd

    @property
    def each_usd(self) -> FloatArray:
        """Recurring expenses of a good system, shape `n`."""
        return self.dies_usd + self.interposer_usd + self.assembly_usd + self.test_usd + self.lost_usd

    def per_system_usd(self, systems: npt.ArrayLike) -> FloatArray:
        """Return the cost per system if `systems` good ones are made; shape `n`, or that of `systems` for a single design."""
        return self.once_usd / np.asarray(systems, dtype=np.float64) + self.each_usd

    def parts(self) -> FloatArray:
        """Return all parts in the order of `ONCE` and `EACH`, shape `n x 10`."""
        return np.stack([getattr(self, each.name) for each in fields(self)], axis=-1)


@dataclass(frozen=True, eq=False)
class LargeDies:
    """`n` systems on one large die each.

    Attributes:
        process: process node of the dies.
        area_mm2: shape `n`.
        new_blocks, reused_blocks: number of blocks designed for the die, and bought as soft cores; fractions for means; shape `n`.
        block_mm2: mean area of a block, shape `n`; by default the die is divided evenly.
    """

    process: str
    area_mm2: FloatArray
    new_blocks: FloatArray
    reused_blocks: FloatArray
    block_mm2: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Chiplets:
    """`n` packages of `k` kinds of chiplets.

    Attributes:
        processes: process node of each kind, `k` names.
        area_mm2: area in mm² of one chiplet, shape `n x k`.
        count: number of dies per package, shape `n x k`.
        designs: number of chiplet designs of each kind made for the package; others are bought; shape `n x k`.
    """

    processes: tuple[str, ...]
    area_mm2: FloatArray
    count: FloatArray
    designs: FloatArray

    def take(self, rows: slice) -> Chiplets:
        """Return the packages at the given indices."""
        return Chiplets(self.processes, self.area_mm2[rows], self.count[rows], self.designs[rows])


def require_process(costs: SiliconCosts, name: str, field: str) -> Process:
    """Return the process of that name.

    Raises:
        ProblemError: the document lacks the process; the error lists the existing ones.
    """
    if name not in costs.processes:
        raise ProblemError(field, name, f"a process of the silicon costs: {', '.join(costs.processes)}")
    return costs.processes[name]


def require_exposable(costs: SiliconCosts, areas_mm2: Sequence[float], field: str) -> None:
    """Refuse dies that are larger than the reticle.

    Raises:
        ProblemError: a die exceeds the reticle; the error names the largest one.
    """
    most = max(areas_mm2, default=0.0)
    if most > costs.reticle_mm2:
        width, height = costs.reticle_mm
        words = f"at most {costs.reticle_mm2:g} mm², the reticle of {width:g} mm x {height:g} mm"
        raise ProblemError(field, most, words, reason="A die larger than the reticle cannot be exposed.")


def large_die_money(costs: SiliconCosts, dies: LargeDies) -> Money:
    """Return the cost of systems on one large die (goyal-2023 sections 6.3.2 and 6.3.3, column SoC of Table 6.1)."""
    process = costs.processes[dies.process]
    blocks = dies.new_blocks + dies.reused_blocks
    gates = process.gates_per_mm2 * (dies.area_mm2 / blocks if dies.block_mm2 is None else dies.block_mm2)
    new_usd = dies.new_blocks * gates * costs.new_block.usd
    none = np.zeros(len(dies.area_mm2))
    die_usd = process.wafer_usd / dies_per_wafer(dies.area_mm2, costs.wafer_diameter_mm)
    test_usd = dies.area_mm2 * costs.die_test_usd_per_mm2
    good = yield_of(dies.area_mm2, process.defects_per_mm2, process.critical_share, costs.clustering)
    return Money(
        masks_usd=none + process.mask_set_usd,
        design_usd=new_usd + dies.reused_blocks * gates * costs.reused_block.usd,
        integration_usd=blocks * (costs.top_level_gates * costs.new_block.back_end_usd),
        verification_usd=new_usd * _verification(costs),
        licences_usd=dies.reused_blocks * costs.licence_usd,
        dies_usd=die_usd,
        interposer_usd=none,
        assembly_usd=none,
        test_usd=test_usd,
        lost_usd=(die_usd + test_usd) * (1.0 / good - 1.0),
    )


def package_money(costs: SiliconCosts, chiplets: Chiplets) -> Money:
    """Return the cost of packages on a passive interposer (goyal-2023 sections 6.3.2 and 6.3.3, column SiP of Table 6.1)."""
    blocks = range(0, max(len(chiplets.area_mm2), 1), _ROWS)
    every = [_package_money(costs, chiplets.take(slice(begin, begin + _ROWS))) for begin in blocks]
    return Money(*(np.concatenate([getattr(money, each.name) for money in every]) for each in fields(Money)))


def _package_money(costs: SiliconCosts, chiplets: Chiplets) -> Money:
    design = verification = dies = test = lost = np.zeros(len(chiplets.area_mm2))
    silicon, pieces = design, design
    for kind, name in enumerate(chiplets.processes):
        process, count = costs.processes[name], chiplets.count[:, kind]
        area = chiplets.area_mm2[:, kind] * (1.0 + costs.chiplet_area_overhead)
        gates = chiplets.designs[:, kind] * area * process.gates_per_mm2
        design = design + gates * costs.new_chiplet.usd
        verification = verification + gates * (costs.new_block.usd * _verification(costs))
        die_usd = process.wafer_usd / dies_per_wafer(area, costs.wafer_diameter_mm)
        test_usd = area * costs.die_test_usd_per_mm2
        good = yield_of(area, process.defects_per_mm2, process.critical_share, costs.clustering)
        dies, test = dies + count * die_usd, test + count * test_usd
        lost = lost + count * (die_usd + test_usd) * (1.0 / good - 1.0)
        silicon, pieces = silicon + count * area, pieces + count
    interposer, interposer_test, interposer_lost = _interposer(costs, silicon)
    test = test + interposer_test + pieces * costs.probing_usd
    assembly, lost = pieces * costs.bonding_usd, lost + interposer_lost
    lost = lost + (dies + interposer + assembly + test + lost) * (1.0 / assembly_yield(costs, pieces) - 1.0)
    return Money(
        masks_usd=_chiplet_masks(costs, chiplets),
        design_usd=design,
        integration_usd=pieces * (costs.top_level_gates * costs.new_chiplet.back_end_usd),
        verification_usd=verification,
        licences_usd=np.zeros(len(design)),
        dies_usd=dies,
        interposer_usd=interposer,
        assembly_usd=assembly,
        test_usd=test,
        lost_usd=lost,
    )


def interposer_mm2(costs: SiliconCosts, silicon_mm2: FloatArray) -> FloatArray:
    """Return the area of the interposer below `silicon_mm2` of chiplets, same shape."""
    return silicon_mm2 * (1.0 + costs.interposer.area_overhead)


def assembly_yield(costs: SiliconCosts, pieces: npt.ArrayLike) -> FloatArray:
    """Return the share of packages in which all `pieces` chiplets are bonded without defects, shape of `pieces`."""
    numbers = np.asarray(pieces).astype(np.int64)
    return powers(costs.bond_yield, int(numbers.max(initial=0)))[numbers]


def startup_ratio(one: Money, other: Money, one_yield: float = 1.0, other_yield: float = 1.0) -> FloatArray:
    """Return the ratio of one-time costs of `one` and `other` per good part, which goyal-2023 section 6.5.1 prints."""
    return (one.once_usd / one_yield) / (other.once_usd / other_yield)


def _interposer(costs: SiliconCosts, silicon_mm2: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the costs of the interposer, of its test and of its defects, in USD per package."""
    area, own = interposer_mm2(costs, silicon_mm2), costs.interposer
    usd = own.wafer_usd / dies_per_wafer(area, costs.wafer_diameter_mm)
    test_usd = area * costs.interposer_test_usd_per_mm2 + costs.interposer_test_usd
    good = yield_of(area, own.defects_per_mm2, own.critical_share, costs.clustering)
    return usd, test_usd, (usd + test_usd) * (1.0 / good - 1.0)


def _verification(costs: SiliconCosts) -> float:
    """Return the verification costs per dollar of design costs."""
    return costs.verification_share / (1.0 - costs.verification_share)


def _chiplet_masks(costs: SiliconCosts, chiplets: Chiplets) -> FloatArray:
    """Return the mask costs of new chiplets in USD, summed over processes, shape `n`."""
    total = np.zeros(len(chiplets.area_mm2))
    for name in dict.fromkeys(chiplets.processes):
        kinds = [kind for kind, each in enumerate(chiplets.processes) if each == name]
        designs = sum((chiplets.designs[:, kind] for kind in kinds), total * 0.0)
        if costs.chiplet_masks == "set-each":
            sets = designs
        elif costs.chiplet_masks == "one-set":
            sets = np.minimum(designs, 1.0)
        else:
            new = sum((chiplets.designs[:, kind] * chiplets.area_mm2[:, kind] for kind in kinds), total * 0.0)
            every = sum((chiplets.count[:, kind] * chiplets.area_mm2[:, kind] for kind in kinds), total * 0.0)
            sets = new / np.where(every > 0, every, 1.0)
        total = total + sets * costs.processes[name].mask_set_usd
    return total
