"""Stages of the decoder that are cut between two blocks, and the exact front over all places of the cuts.

The blocks before a cut run on one unit and those after it on another one, in the same bits. At a cut each pass hands its tokens on.
Blocks whose decode runs on another unit than their prefill move their part of the prompt's cache. For each cut of decode, a prefill
that another one equals or beats in time, energy and what it moves is in no better conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise, product
from math import fsum

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.methods.soc_mapping.language.stage_costs import Setting, StageCosts
from engines.methods.soc_mapping.language.stage_work import TITLES, Blocks, StageName
from hardware.bits import bit_widths


@dataclass(frozen=True)
class Cut:
    """Where a stage changes its unit: after so many blocks, and the setting of the others."""

    stage: StageName
    blocks: int
    setting: Setting


@dataclass(frozen=True)
class Part:
    """A stage, or the blocks of it before or after its cut (None: all), in one setting."""

    stage: StageName
    setting: Setting
    blocks: Blocks | None = None

    @property
    def rest(self) -> bool:
        """Whether it begins after a cut."""
        return bool(self.blocks and self.blocks[0])

    @property
    def name(self) -> str:
        """The stage in a decision: "decode", and after its cut "decode_rest"."""
        return f"{self.stage}_rest" if self.rest else self.stage

    @property
    def title(self) -> str:
        """The same for people."""
        blocks = f", blocks {self.blocks[0] + 1} to {self.blocks[1]}" if self.blocks else ""
        return TITLES[self.stage] + blocks


@dataclass(frozen=True)
class LanguageDesign:
    """A setting of each stage, in the order of the model's stages, and the bits of the cache.

    Attributes:
        settings: settings of whole stages, or of the blocks before a cut.
        cache_bits: bits of an element of the cache.
        cuts: cuts of prefill and decode, at most one each.
    """

    settings: tuple[Setting, ...]
    cache_bits: float
    cuts: tuple[Cut, ...] = ()

    def parts(self, costs: StageCosts) -> tuple[Part, ...]:
        """Return the parts of all stages in the order in which they run."""
        found, cuts = [], {each.stage: each for each in self.cuts}
        for stage, setting in zip(costs.stages.names, self.settings, strict=True):
            cut = cuts.get(stage)
            found.append(Part(stage, setting, (0, cut.blocks) if cut else None))
            if cut:
                found.append(Part(stage, cut.setting, (cut.blocks, costs.stages.blocks)))
        return tuple(found)


def block_units(parts: Sequence[Part], stage: StageName, costs: StageCosts) -> list[str]:
    """Return the unit of each block in a stage."""
    own = [each for each in parts if each.stage == stage]
    return [each.setting.unit for each in own for _ in range(*(each.blocks or (0, costs.stages.blocks)))]


def transfers(costs: StageCosts, parts: Sequence[Part], cache_bits: float) -> list[tuple[float, float]]:
    """Return seconds and joules of the transfer before each part; zeros where nothing changes its unit.

    Decode and the action head read the cache of prefill, block by block; decode leaves nothing for an action head.
    """
    prefill, found = block_units(parts, "prefill", costs), [(0.0, 0.0)]
    for before, part in pairwise(parts):
        if part.rest:
            found.append(costs.cut(part.stage, before.setting, part.setting))
        elif part.stage == "prefill":
            same = before.setting.unit == part.setting.unit
            size = costs.stages.handed_bytes("encoders", bit_widths(before.setting.bits))
            found.append((0.0, 0.0) if same else costs.transfer(size))
        else:
            readers = (
                block_units(parts, part.stage, costs) if part.stage == "decode" else [part.setting.unit] * len(prefill)
            )
            elements = zip(costs.stages.prompt_elements, prefill, readers, strict=True)
            found.append(costs.prompt_transfer(sum(size for size, one, other in elements if one != other), cache_bits))
    return found


def best_settings(
    costs: StageCosts, stage: StageName, cache_bits: float, blocks: Blocks | None = None
) -> list[Setting]:
    """Return the settings of a stage or part that none of the same unit and bits beats, in the order of `StageCosts.settings`."""
    found: list[Setting] = []
    for _, same in groupby(costs.settings, key=lambda each: (each.unit, each.bits)):
        settings = list(same)
        of = [costs.cost(stage, each, cache_bits, blocks) for each in settings]
        found += [settings[row] for row in _best(np.array([[each.seconds, each.energy_j] for each in of]))]
    return found


def _best(table: FloatArray) -> list[int]:
    """Return the rows that no other row equals or beats, of equal ones the first; columns that are not known are left out."""
    table = rounded(np.ascontiguousarray(table[:, ~np.isnan(table).any(axis=0)]))
    rows = np.flatnonzero(non_dominated(table, ["minimise"] * table.shape[1])).tolist()
    return sorted({tuple(table[row].tolist()): row for row in reversed(rows)}.values())


@dataclass(frozen=True)
class _Options:
    """Ways to run the stages but decode, or decode.

    Attributes:
        parts: of each way.
        costs: seconds and joules, without the transfer of the prompt's cache to decode; shape `n x 2`.
        units: units of the blocks in prefill or decode, shape `n x blocks`.
        before: units of the blocks in decode -> the ways that none other equals or beats before them, and the costs of all ways.
    """

    parts: Sequence[tuple[Part, ...]]
    costs: FloatArray
    units: IntArray
    before: dict[bytes, tuple[IntArray, FloatArray]] = field(default_factory=dict)


def cut_designs(
    costs: StageCosts, of: Mapping[StageName, Sequence[Setting]], cache_bits: float, *,
    copies: bool, fits: Callable[[LanguageDesign], bool],
) -> Iterator[LanguageDesign]:  # fmt: skip
    """Yield the designs of one number of bits of the cache that no other one in the same bits dominates in times and energy.

    Args:
        costs: costs of the stages.
        of: best settings of whole stages.
        cache_bits: bits of an element of the cache.
        copies: whether prefill and decode may use other bits.
        fits: whether a design fits into the memory.
    """
    ways: dict[StageName, list[tuple[Part, ...]]] = {name: [(Part(name, each),) for each in of[name]] for name in of}
    for name in ("prefill", "decode"):
        ways[name] += _cut_ways(costs, name, cache_bits)
    before = product(*(ways[name] for name in costs.stages.names if name != "decode"))
    openings = _by_bits(costs, [tuple(chain(*each)) for each in before], "prefill", cache_bits)
    decodes = _by_bits(costs, ways["decode"], "decode", cache_bits)
    for opening, decode in product(openings, decodes):
        first = _design(costs, (*opening.parts[0], *decode.parts[0]), cache_bits)
        bits = {part.stage: part.setting.bits for part in (*opening.parts[0], *decode.parts[0])}
        if (copies or bits["prefill"] == bits["decode"]) and fits(first):
            for one, other in _front(costs, opening, decode, cache_bits):
                yield _design(costs, (*opening.parts[one], *decode.parts[other]), cache_bits)


def _cut_ways(costs: StageCosts, stage: StageName, cache_bits: float) -> Iterator[tuple[Part, ...]]:
    last = costs.stages.blocks
    for at in range(1, last):
        both = [best_settings(costs, stage, cache_bits, each) for each in ((0, at), (at, last))]
        for first, rest in product(*both):
            if first.bits == rest.bits and first.unit != rest.unit:
                yield Part(stage, first, (0, at)), Part(stage, rest, (at, last))


def _by_bits(
    costs: StageCosts, ways: Sequence[tuple[Part, ...]], stage: StageName, cache_bits: float
) -> list[_Options]:
    """Return the ways apart by the bits of their stages, with the units of the blocks in one of them."""
    groups: dict[tuple[str, ...], list[tuple[Part, ...]]] = {}
    for parts in ways:
        groups.setdefault(tuple(each.setting.bits for each in parts if not each.rest), []).append(parts)
    return [
        _Options(
            members,
            np.array([_cost(costs, parts, cache_bits) for parts in members]),
            np.array([[costs.units.index(unit) for unit in block_units(parts, stage, costs)] for parts in members]),
        )
        for members in groups.values()
    ]


def _cost(costs: StageCosts, parts: Sequence[Part], cache_bits: float) -> tuple[float, float]:
    own = [costs.cost(each.stage, each.setting, cache_bits, each.blocks) for each in parts]
    moved_s, moved_j = zip(*transfers(costs, parts, cache_bits), strict=True)
    return fsum((*(each.seconds for each in own), *moved_s)), fsum((*(each.energy_j for each in own), *moved_j))


def _front(costs: StageCosts, opening: _Options, decode: _Options, cache_bits: float) -> Iterator[tuple[int, int]]:
    """Yield the rows of both that together no other rows beat in time to first token, decode time and energy."""
    found: list[FloatArray] = []
    units, pattern = np.unique(decode.units, axis=0, return_inverse=True)
    for at, of_blocks in enumerate(units):
        rows = np.flatnonzero(pattern == at)
        rows = rows[_best(decode.costs[rows])]
        name = of_blocks.tobytes()
        if name not in opening.before:
            moved = _moved(costs, opening, of_blocks, cache_bits)
            key = np.column_stack([opening.costs[:, 0], opening.costs[:, 1] + moved[:, 1], moved[:, 0]])
            opening.before[name] = np.array(_best(key)), key
        first, key = opening.before[name]
        one, other = np.repeat(first, len(rows)), np.tile(rows, len(first))
        seconds, joules = decode.costs[other].T
        found.append(np.column_stack([one, other, key[one, 0], key[one, 2] + seconds, key[one, 1] + joules]))
    table = np.concatenate(found)
    for row in _best(table[:, 2:]):
        yield int(table[row, 0]), int(table[row, 1])


def _moved(costs: StageCosts, opening: _Options, units: IntArray, cache_bits: float) -> FloatArray:
    """Return seconds and joules that the prompt's cache takes to the units of the blocks in decode; shape `n x 2`."""
    apart = (opening.units != units).astype(np.int64)
    elements, place = np.unique((apart * np.array(costs.stages.prompt_elements)).sum(axis=1), return_inverse=True)
    return np.array([costs.prompt_transfer(each, cache_bits) for each in elements.tolist()])[place]


def _design(costs: StageCosts, parts: Sequence[Part], cache_bits: float) -> LanguageDesign:
    settings = {each.stage: each.setting for each in parts if not each.rest}
    cuts = tuple(Cut(each.stage, each.blocks[0], each.setting) for each in parts if each.rest and each.blocks)
    return LanguageDesign(tuple(settings[name] for name in costs.stages.names), cache_bits, cuts)
