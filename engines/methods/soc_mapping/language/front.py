"""The exact front over the stages of a language model.

Time and energy of a conversation are sums over its stages. Stages depend on each other by their units (transfers) and bits (memory,
quality), and not by their clocks. A setting that another one of the same stage, unit and bits equals or beats in time and energy is
therefore in no better conversation. Of equal settings the one at the highest clocks stays. The remaining settings of all stages are
combined, and the combinations that no other one dominates are the front.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.integer_format import counted, many
from engines.contract.problem import require
from engines.contract.quantities import Sense
from engines.methods.soc_mapping.language.cuts import Cut, LanguageDesign, best_settings, cut_designs
from engines.methods.soc_mapping.language.stage_costs import Setting, StageCosts
from engines.methods.soc_mapping.language.stage_work import StageName
from engines.search.strategies import Columns, Exhaustive, ListedDesigns

MOST_COMBINATIONS = 60_000
_MOST_SHOWN = 2000  # designs that a run keeps beside the front
_SENSES: dict[str, Sense] = {
    "first_token_s": "minimise", "decode_tokens_per_s": "maximise", "memory_bytes": "minimise", "energy_j": "minimise",
    "quality": "maximise",
}  # fmt: skip


@dataclass(frozen=True)
class DesignSpace:
    """All designs of a problem.

    Attributes:
        costs: costs of the stages.
        cache_bits: to choose from.
        copies: whether prefill and decode may use other bits.
        fits: whether a design fits into the memory of the board.
        cut: whether prefill and decode may be cut between two blocks.
    """

    costs: StageCosts
    cache_bits: tuple[float, ...]
    copies: bool
    fits: Callable[[LanguageDesign], bool]
    cut: bool = False

    @property
    def size(self) -> int:
        """Number of designs, including those that exceed the memory."""
        units: dict[str, Counter[str]] = {}
        for each in self.costs.settings:
            units.setdefault(each.bits, Counter())[each.unit] += 1
        places = self.costs.stages.blocks - 1 if self.cut else 0
        of_bits = [n.total() + places * (n.total() ** 2 - sum(m**2 for m in n.values())) for n in units.values()]
        both = sum(of_bits) ** 2 if self.copies else sum(count**2 for count in of_bits)
        return int(len(self.costs.settings) ** (len(self.costs.stages.names) - 2) * both * len(self.cache_bits))

    def every(self) -> Iterator[LanguageDesign]:
        """Yield every design."""
        settings, stages = self.costs.settings, self.costs.stages
        for cache in self.cache_bits:
            for whole in self._combined(dict.fromkeys(stages.names, settings), cache):
                yield whole
                cuts = [[None, *self._cuts(name, whole)] for name in ("prefill", "decode")] if self.cut else []
                for chosen in list(product(*cuts))[1:]:
                    yield replace(whole, cuts=tuple(each for each in chosen if each))

    def _cuts(self, stage: StageName, whole: LanguageDesign) -> Iterator[Cut]:
        first = whole.settings[self.costs.stages.names.index(stage)]
        for rest in self.costs.settings:
            if rest.bits == first.bits and rest.unit != first.unit:
                yield from (Cut(stage, blocks, rest) for blocks in range(1, self.costs.stages.blocks))

    def kept(self) -> Iterator[LanguageDesign]:
        """Yield the combinations of settings that no other setting of the same stage, unit and bits beats.

        Raises:
            ProblemError: there are more than `MOST_COMBINATIONS`.
        """
        chosen = [
            (cache, {name: best_settings(self.costs, name, cache) for name in self.costs.stages.names})
            for cache in self.cache_bits
        ]
        for cache, of in chosen:
            first = prod(len(own) for name, own in of.items() if name != "decode")
            openings = first * self.costs.stages.blocks if self.cut else 0
            self._require_few(openings)
            if self.cut:
                yield from cut_designs(self.costs, of, cache, copies=self.copies, fits=self.fits)
        if not self.cut:
            self._require_few(sum(prod(map(len, of.values())) for _, of in chosen))
            for cache, of in chosen:
                yield from self._combined(of, cache)

    def _require_few(self, count: int) -> None:
        remedies = ["Use fewer clock steps.", "Choose from fewer bits."]
        require(
            count <= MOST_COMBINATIONS, "params.clock_steps", f"{count:,} combinations of the best settings",
            f"a number of steps that leaves at most {MOST_COMBINATIONS:,} combinations", remedies=remedies,
        )  # fmt: skip

    def _combined(self, of: Mapping[StageName, Sequence[Setting]], cache: float) -> Iterator[LanguageDesign]:
        names = self.costs.stages.names
        prefill, decode = names.index("prefill"), names.index("decode")
        for settings in product(*(of[name] for name in names)):
            design = LanguageDesign(settings, cache)
            if (self.copies or settings[prefill].bits == settings[decode].bits) and self.fits(design):
                yield design


@dataclass(frozen=True, eq=False)
class KeptDesigns(ListedDesigns[LanguageDesign]):
    """The designs that a run keeps: all that were compared, or those of the front where these are many.

    Attributes:
        compared: combinations that were compared.
    """

    compared: int


def kept_designs(space: DesignSpace, columns: Callable[[Sequence[LanguageDesign]], Columns]) -> KeptDesigns:
    """Return designs with all that no other one dominates in the objectives that a run may have.

    Args:
        space: space of designs, of which at least one fits into the memory.
        columns: designs -> columns.
    """
    kept = list(space.kept())
    if len(kept) <= _MOST_SHOWN:
        return KeptDesigns(kept, len(kept))
    found = columns(kept)
    known = [name for name in _SENSES if not np.isnan(found[name]).any()]
    matrix: FloatArray = np.column_stack([found[name] for name in known])
    rows = np.flatnonzero(non_dominated(matrix, [_SENSES[name] for name in known]))
    return KeptDesigns([kept[row] for row in rows.tolist()], len(kept))


@dataclass(frozen=True)
class ExactStages(Exhaustive[LanguageDesign]):
    """The kept designs, of which each is evaluated.

    Attributes:
        total: designs of the whole space.
        compared: combinations that were compared.
        cut: whether stages may be cut between two blocks.
    """

    total: int = 0
    compared: int = 0
    cut: bool = False

    @property
    def words(self) -> str:
        """Size of space and front, for the plan."""
        return (
            f"{many(self.total, 'combination')} of units, clocks and bits: exact search among {counted(self.compared)}"
        )

    def proof(self, scored: int) -> str:
        """Return the sentence on the proof and its scope."""
        searched = (
            "Prefill and decode may each be cut between two blocks, and then run on two units. Cuts that another one equals or "
            "beats in time, energy and moved cache are ruled out."
            if self.cut
            else "Settings with the same stage, unit and bits as one that equals or beats them are ruled out."
        )
        covered = (
            "stages with at most one cut; where all blocks are equal, it covers two units per stage in any order. It leaves out "
            "stages on three units and other bits within a stage"
            if self.cut
            else "whole stages at the clocks and bits to choose from. It leaves out stages that are cut between units"
        )
        return (
            f"Exact within the stated model. The space has {many(self.total, 'combination')} of unit, clocks and bits for "
            f"each stage. {searched} The search compared the {many(self.compared, 'remaining combination')} that fit into the "
            "memory. It compared time to first token, decode rate, memory, and energy and quality if known. No other design "
            f"dominates one of the front. The proof covers {covered}."
        )
