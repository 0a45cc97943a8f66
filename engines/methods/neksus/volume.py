"""Cost of a package over how many are made, next to one monolithic die, and yield over how many chiplets there are."""

from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.results import Breakdown, Curve, Note, Result, Series, Table, TableColumn
from engines.cost.silicon.costs import EACH, ONCE, PART_TITLES, assembly_yield, interposer_mm2
from engines.cost.silicon.volume import cheaper_words, cheapest_from, over_volumes, volumes
from engines.cost.silicon.yields import yield_of
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.package_cost import large_die_of, money_of
from engines.methods.neksus.quantities import QUANTITIES

LARGE_DIE = "One monolithic die"
_LEAST, _MOST = 1e3, 1e9
_FIRST = 1e5  # systems; for fewer, what is paid once hides all else

_TOLD = ("once_usd", "each_usd", "chiplets", "new_chiplets", "chain_length", "serdes_ratio", "channel_bits")


def volume_results(instance: NeksusInstance, design: PackageDesign, title: str) -> tuple[Result, ...]:
    """Cost over volume, next to one monolithic die and as a ratio to it, with the break-even in words."""
    package, die = money_of(instance.system, instance.costs, [design]), large_die_of(instance.system, instance.costs)
    systems = volumes(_FIRST)
    own, other = over_volumes(package, systems), over_volumes(die, systems)
    curve = Curve(
        "cost-over-volume", "Cost of a system over how many are made", systems, "Systems", "",
        (Series(title, own, "USD"), Series(LARGE_DIE, other, "USD")), x_log=True,
    )  # fmt: skip
    ratio = Curve(
        "cost-ratio", "Cost of one monolithic die over that of the package", systems, "Systems", "",
        (Series(f"{LARGE_DIE} over the package", other / own, "x"), Series("Break-even", np.ones(len(systems)), "x")),
        x_log=True,
    )  # fmt: skip
    words = cheaper_words(title, LARGE_DIE, package, die)
    words += (
        " The monolithic die has all blocks, and soft cores for those on sale. All of its blocks are designed into it."
    )
    return (curve, ratio, Note("break-even", "Break-even", words, belongs_to="cost-over-volume"))


def cheapest_by_volume(designs: Designs) -> Table:
    """Return from how many systems on which package of a run costs least; only those of the run, without a search."""
    counted = np.flatnonzero(designs.counted(QUANTITIES))
    columns = {name: designs.columns[name][counted] for name in _TOLD}
    found = cheapest_from(columns["once_usd"], columns["each_usd"], _LEAST, _MOST)
    rows = [place for place, _ in found]
    systems = np.array([first for _, first in found])
    cost = columns["once_usd"][rows] / systems + columns["each_usd"][rows]
    return Table(
        "cheapest-by-volume", "Cheapest package of this run by how many are made",
        (
            TableColumn("From systems", systems),
            TableColumn("Cost there", cost, "USD"),
            *(TableColumn(each.title, columns[each.name][rows], each.unit or "") for each in QUANTITIES if each.name in _TOLD),
        ),
    )  # fmt: skip


def cost_parts(instance: NeksusInstance, design: PackageDesign) -> tuple[Breakdown, Breakdown]:
    """Return the one-time costs and the costs per system in USD, next to those of a monolithic die."""
    both = [money_of(instance.system, instance.costs, [design]), large_die_of(instance.system, instance.costs)]
    values = np.concatenate([money.parts() for money in both])
    bars = ("This package", LARGE_DIE)
    once, each = len(ONCE), len(EACH)
    return (
        Breakdown("once", "Paid once", bars, tuple(PART_TITLES[name] for name in ONCE), values[:, :once], "USD"),
        Breakdown(
            "each", "Paid for every system", bars, tuple(PART_TITLES[name] for name in EACH), values[:, -each:], "USD"
        ),
    )


def yield_over_granularity(instance: NeksusInstance) -> Curve:
    """Yield when all silicon of the blocks is cut into 1, 2, 3, ... equal chiplets (goyal-2023 Figure 6.12)."""
    costs, blocks = instance.costs, list(instance.system.blocks.values())
    process = costs.processes[blocks[0].process]
    area, counts = sum(block.area_mm2 for block in blocks), np.arange(1, 2 * len(blocks) + 1)
    one = yield_of(area / counts, process.defects_per_mm2, process.critical_share, costs.clustering)
    bonds = assembly_yield(costs, counts)
    own = costs.interposer
    interposer = yield_of(
        interposer_mm2(costs, np.full(len(counts), area)), own.defects_per_mm2, own.critical_share, costs.clustering
    )
    return Curve(
        "yield-over-granularity", "Yield over the number of chiplets", counts.astype(np.float64), "Chiplets", "",
        (
            Series("One chiplet", one, "of one"),
            Series("All bonds", bonds, "of one"),
            Series("A chiplet, all bonds and the interposer", one * bonds * interposer, "of one"),
        ),
    )  # fmt: skip
