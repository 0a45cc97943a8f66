"""Costs of any architecture of a space on any unit, put together from a table of its blocks.

Blocks are the paper's: stem, Graphers, feed-forward parts, head (odema-2023 eq. 5, Table 1), and the convolutions that halve the
grid of a pyramid. All blocks of a superblock are alike, so a table of each superblock's choices is enough (section 4.3.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.mapping.solver.unit_mapping import UnitCosts
from engines.supernets.space import Architecture, SuperblockChoice, SupernetSpace
from engines.supernets.workload import head_rows, stem_rows, superblock_rows
from engines.workloads.loader import load_network
from engines.workloads.vision_graph_rows import Row


@dataclass(frozen=True)
class BlockCosts:
    """Some blocks in a row.

    Attributes:
        names: names of the `n` blocks.
        latency_s, energy_j: shape `n x units x settings`; infinite where a unit lacks something.
        handover_s, handover_j: handover in seconds and handover in joules of the result of each, shape `n x settings`.
        reasons: (block, unit) -> why the unit cannot have it.
        macs: MACs of each block.
    """

    names: tuple[str, ...]
    latency_s: FloatArray
    energy_j: FloatArray
    handover_s: FloatArray
    handover_j: FloatArray
    reasons: dict[tuple[int, str], str]
    macs: FloatArray


class CostTable:
    """The costs of architectures at given DVFS settings, cached after the first computation.

    Args:
        model: model of the device under its calibration.
        settings: `s` settings.
        space: space of the architectures.
    """

    def __init__(self, model: SocCostModel, settings: ClockSettings, space: SupernetSpace) -> None:
        self._model, self._settings, self._space = model, settings, space
        self._known: dict[tuple[int, SuperblockChoice], BlockCosts] = {}
        self._stem = self._blocks(stem_rows(space))
        self._head = self._blocks(head_rows(space))

    def parts(self, architecture: Architecture) -> list[BlockCosts]:
        """Return the costs of stem, superblocks and head."""
        found = [self._stem]
        for place, choice in enumerate(architecture):
            found.append(_repeated(self._single(place, choice), choice.depth, self._reduces(place)))
        return [*found, self._head]

    def costs(self, architecture: Architecture) -> UnitCosts:
        """Return the latency and energy of mappings of an architecture."""
        parts = self.parts(architecture)
        latency, energy, after_s, after_j = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("latency_s", "energy_j", "handover_s", "handover_j")
        )
        return UnitCosts(latency, energy, after_s[:-1], after_j[:-1])

    def macs(self, architecture: Architecture) -> int:
        """Return the multiply-accumulate operations of one image."""
        return int(sum(part.macs.sum() for part in self.parts(architecture)))

    def least(self) -> tuple[float, float]:
        """Return the latency and energy that no architecture, mapping or setting can be below: least of every block by itself."""
        latency = energy = 0.0
        places = [[self._stem], *self._superblocks(), [self._head]]
        for candidates in places:
            latency += min(float(each.latency_s.min(axis=(1, 2)).sum()) for each in candidates)
            energy += min(float(each.energy_j.min(axis=(1, 2)).sum()) for each in candidates)
        return latency, energy

    def _superblocks(self) -> list[list[BlockCosts]]:
        shallow = self._space.depths[0]
        return [
            [
                _repeated(self._single(place, choice), shallow, self._reduces(place))
                for choice in self._space.choices(place)
                if choice.depth == shallow
            ]
            for place in range(len(self._space.widths))
        ]

    def _reduces(self, place: int) -> int:
        return int(place > 0 and self._space.widths[place] != self._space.widths[place - 1])

    def _single(self, place: int, choice: SuperblockChoice) -> BlockCosts:
        """Return the costs of a superblock of one block."""
        key = place, replace(choice, depth=1)
        if key not in self._known:
            self._known[key] = self._blocks(superblock_rows(self._space, place, key[1], 1))
        return self._known[key]

    def _blocks(self, rows: list[Row]) -> BlockCosts:
        words = {"schema": "network/1", "slug": "part", "title": "Part", "short_title": "Part", "source": "of a subnet"}
        network = load_network({**words, "operations": rows})
        operations = operation_table(network.operations)
        names, starts = operations.blocks()
        costs = self._model.costs(operations, self._settings, groups=starts, partial=True)
        changes = self._model.transitions(operations, self._settings)
        last = np.array([*starts[1:], len(operations)], dtype=np.int64) - 1
        return BlockCosts(
            names,
            costs.latency_s,
            costs.energy_j,
            changes.latency_s[last],
            changes.energy_j[last],
            costs.reasons,
            np.add.reduceat(np.array([float(each.macs) for each in network.operations]), starts),
        )


def _repeated(single: BlockCosts, depth: int, first: int) -> BlockCosts:
    """Return `depth` times the same, without the `first` rows from the second time on."""
    rows = np.concatenate([np.arange(len(single.names)), *([np.arange(first, len(single.names))] * (depth - 1))])
    return BlockCosts(
        tuple(single.names[row] for row in rows),
        single.latency_s[rows],
        single.energy_j[rows],
        single.handover_s[rows],
        single.handover_j[rows],
        {
            (number, unit): why
            for number, row in enumerate(rows.tolist())
            for (known, unit), why in single.reasons.items()
            if known == row
        },
        single.macs[rows],
    )
