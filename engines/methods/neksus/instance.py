"""The prepared problem: the system, silicon costs, the chains that run, and the free choices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from engines.contract.engine import Problem, require
from engines.contract.integer_format import counted
from engines.cost.silicon.costs import require_exposable, require_process
from engines.methods.neksus.params import NeksusParams, split_list, whole_numbers
from engines.methods.neksus.quantities import objective_columns
from engines.methods.neksus.space import PackageSpace, for_sale, space_of
from hardware.chiplet_system.model import ApplicationChain, ChipletSystem
from hardware.silicon.model import SiliconCosts

_MB = 1e6
_MOST_PACKAGES = 2_000_000  # that a machine of 2 GB holds bounds and places of


@dataclass(frozen=True, eq=False)
class NeksusInstance:
    """The prepared problem that searches and pages share.

    Attributes:
        chains: chains that run at the same time.
        seed: seed of the problem, for orders that are drawn.
    """

    system: ChipletSystem
    costs: SiliconCosts
    chains: tuple[ApplicationChain, ...]
    params: NeksusParams
    seed: int

    @cached_property
    def space(self) -> PackageSpace:
        """Return the search space."""
        return space_of(self.system, self.chains, self.params, self.seed, self.costs.reticle_mm2)


def instance_of(problem: Problem[NeksusParams]) -> NeksusInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: an application or block that is not there, a process that the costs do not have, more chiplets than ports
            hold, dies that are larger than the reticle, no objective.
    """
    system, costs, params = (
        problem.value("hardware", ChipletSystem),
        problem.value("costs", SiliconCosts),
        problem.params,
    )
    for name, block in system.blocks.items():
        require_process(costs, block.process, f"inputs.hardware.blocks.{name}.process")
    require_process(costs, system.hub.process, "inputs.hardware.hub.process")
    require(bool(objective_columns(params)), "params.minimise_cost", False, "on, unless another objective is on")
    chains = _chains(system, params)
    require(
        bool(chains),
        "params.applications",
        params.applications,
        f"one of {', '.join(system.applications)}, or own chains",
    )
    longest, largest = max(whole_numbers(params.chain_lengths)), max(whole_numbers(params.granularities))
    fewest = -(-len(system.blocks) // largest)
    words = f"at least {-(-fewest // longest)}"
    require(
        fewest <= params.most_ports * longest,
        "params.most_ports",
        params.most_ports,
        words,
        reason=f"{fewest} chiplets in chains of {longest} need as many ports.",
        remedies=["Allow longer chains."],
    )
    for name, block in system.blocks.items():
        require_exposable(costs, [block.area_mm2], f"inputs.hardware.blocks.{name}.area_mm2")
    require_exposable(costs, [system.hub.area_mm2], "inputs.hardware.hub.area_mm2")
    _check_reuse(system, params)
    found = NeksusInstance(system, costs, chains, params, problem.seed)
    count = math.prod(found.space.sizes)
    most = "auto or evolutionary"
    require(
        params.method != "exhaustive" or count <= _MOST_PACKAGES,
        "params.method",
        params.method,
        most,
        reason=f"The method exhaustive evaluates at most {counted(_MOST_PACKAGES)} packages, and there are {counted(count)}.",
    )
    return found


def _check_reuse(system: ChipletSystem, params: NeksusParams) -> None:
    """Check that blocks that are decided one by one can be bought."""
    decided, known = split_list(params.reuse_blocks), for_sale(system)
    for block in decided:
        require(
            block in known, "params.reuse_blocks", block, f"one of the blocks for sale: {', '.join(known) or 'none is'}"
        )
    each = "each" in split_list(params.reuse)
    require(each or not decided, "params.reuse", params.reuse, "each, if params.reuse_blocks names blocks")


def _chains(system: ChipletSystem, params: NeksusParams) -> tuple[ApplicationChain, ...]:
    found: list[ApplicationChain] = []
    for name in split_list(params.applications):
        require(name in system.applications, "params.applications", name, f"one of {', '.join(system.applications)}")
        found += system.applications[name].chains
    for words in params.own_chains.split(";"):
        if words.strip():
            found.append(_own_chain(system, words.strip()))
    return tuple(found)


def _own_chain(system: ChipletSystem, words: str) -> ApplicationChain:
    """Return a chain as it is typed: "cam-img-dc 26.5 60 15"."""
    parts = words.lower().split()
    form = "blocks joined by hyphens, MB per frame, frames/s, deadline in ms, as in: cam-img-dc 26.5 60 15"
    require(len(parts) == 4, "params.own_chains", words, form)
    blocks = tuple(parts[0].split("-"))
    for place, block in enumerate(blocks):
        require(block in system.blocks, "params.own_chains", block, f"one of the blocks: {', '.join(system.blocks)}")
        reason = f"The block {block} occurs twice."
        require(block not in blocks[:place], "params.own_chains", words, "a chain without loops", reason=reason)
    require(len(blocks) > 1, "params.own_chains", words, f"at least two {form}")
    try:
        megabytes, frames_per_s, deadline_ms = (float(part) for part in parts[1:])
    except ValueError:
        megabytes = frames_per_s = deadline_ms = 0.0
    given = all(0 < value <= 1e9 for value in (megabytes, frames_per_s, deadline_ms))
    require(given, "params.own_chains", words, f"{form}, with numbers above 0")
    return ApplicationChain(blocks, (megabytes * _MB,) * (len(blocks) - 1), frames_per_s, deadline_ms / 1e3)
