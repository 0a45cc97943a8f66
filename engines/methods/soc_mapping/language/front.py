"""The exact front over the stages of a language model.

Time and energy of a conversation are sums over its stages. Stages depend on each other by their units (transfers) and bits (memory,
quality), and not by their clocks. A setting that another one of the same stage, unit and bits equals or beats in time and energy is
therefore in no better conversation. Of equal settings the one at the highest clocks stays. The remaining settings of all stages are
combined, and the combinations that no other one dominates are the front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from math import prod

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.integer_format import counted, many
from engines.contract.problem import require
from engines.contract.quantities import Sense
from engines.methods.soc_mapping.language.stage_costs import Setting, StageCosts
from engines.methods.soc_mapping.language.stage_work import StageName
from engines.search.strategies import Columns, Exhaustive

MOST_COMBINATIONS = 60_000
_MOST_SHOWN = 2000  # designs that a run keeps beside the front
_SENSES: dict[str, Sense] = {
    "first_token_s": "minimise", "decode_tokens_per_s": "maximise", "memory_bytes": "minimise", "energy_j": "minimise",
    "quality": "maximise",
}  # fmt: skip


@dataclass(frozen=True)
class LanguageDesign:
    """A setting of each stage, in the order of the model's stages, and the bits of the cache."""

    settings: tuple[Setting, ...]
    cache_bits: float


@dataclass(frozen=True)
class DesignSpace:
    """All designs of a problem.

    Attributes:
        costs: of stages.
        cache_bits: to choose from.
        copies: whether prefill and decode may use other bits.
        fits: whether a design fits into the memory of the board.
    """

    costs: StageCosts
    cache_bits: tuple[float, ...]
    copies: bool
    fits: Callable[[LanguageDesign], bool]

    @property
    def size(self) -> int:
        """Number of designs, including those that exceed the memory."""
        settings, names = self.costs.settings, self.costs.stages.names
        of_bits = [len(list(same)) for _, same in groupby(sorted(each.bits for each in settings))]
        both = len(settings) ** 2 if self.copies else sum(count**2 for count in of_bits)
        return int(len(settings) ** (len(names) - 2) * both * len(self.cache_bits))

    def every(self) -> Iterator[LanguageDesign]:
        """Yield every design."""
        settings = self.costs.settings
        for cache in self.cache_bits:
            yield from self._combined(dict.fromkeys(self.costs.stages.names, settings), cache)

    def kept(self) -> Iterator[LanguageDesign]:
        """Yield the combinations of settings that no other setting of the same stage, unit and bits beats.

        Raises:
            ProblemError: there are more than `MOST_COMBINATIONS`.
        """
        chosen = [
            (cache, {name: self._best(name, cache) for name in self.costs.stages.names}) for cache in self.cache_bits
        ]
        count = sum(prod(map(len, of.values())) for _, of in chosen)
        remedies = ["Use fewer clock steps.", "Choose from fewer bits."]
        require(
            count <= MOST_COMBINATIONS, "params.clock_steps", f"{count:,} combinations of the best settings",
            f"a number of steps that gives at most {MOST_COMBINATIONS:,} combinations", remedies=remedies,
        )  # fmt: skip
        for cache, of in chosen:
            yield from self._combined(of, cache)

    def _combined(self, of: Mapping[StageName, Sequence[Setting]], cache: float) -> Iterator[LanguageDesign]:
        names = self.costs.stages.names
        prefill, decode = names.index("prefill"), names.index("decode")
        for settings in product(*(of[name] for name in names)):
            design = LanguageDesign(settings, cache)
            if (self.copies or settings[prefill].bits == settings[decode].bits) and self.fits(design):
                yield design

    def _best(self, stage: StageName, cache: float) -> list[Setting]:
        """Return the settings of a stage that none of the same unit and bits beats, in the order of `StageCosts.settings`."""
        found: list[Setting] = []
        for _, same in groupby(self.costs.settings, key=lambda each: (each.unit, each.bits)):
            settings = list(same)
            costs = [self.costs.cost(stage, each, cache) for each in settings]
            table = np.array([[each.seconds, each.energy_j] for each in costs])
            table = rounded(table[:, : 2 - bool(np.isnan(table).any())])
            _, first = np.unique(table, axis=0, return_index=True)
            rows = np.sort(first)
            keep = non_dominated(table[rows], ["minimise"] * table.shape[1])
            found += [settings[row] for row in rows[keep].tolist()]
        return found


@dataclass(frozen=True)
class KeptDesigns:
    """The designs that a run stores; a space of one gene.

    Attributes:
        designs: all that were compared, or those of the front where these are many.
        compared: combinations that were compared.
    """

    designs: Sequence[LanguageDesign]
    compared: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many designs the gene chooses from."""
        return (len(self.designs),)

    def design(self, genes: Sequence[int]) -> LanguageDesign:
        """Return the design of `genes`."""
        return self.designs[genes[0]]


def kept_designs(space: DesignSpace, columns: Callable[[Sequence[LanguageDesign]], Columns]) -> KeptDesigns:
    """Return the designs that no other design dominates in any selection of objectives of a run.

    Args:
        space: of designs; one of them fits into the memory.
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
    """

    total: int = 0
    compared: int = 0

    @property
    def words(self) -> str:
        """Size of space and front, for the plan."""
        return (
            f"{many(self.total, 'combination')} of units, clocks and bits: exact search among {counted(self.compared)}"
        )

    def proof(self, scored: int) -> str:
        """Return what is proven, and of what."""
        return (
            f"Exact within the stated model. The space has {many(self.total, 'combination')} of unit, clocks and bits for "
            "each stage. Settings with the same stage, unit and bits as one that equals or beats them are ruled out. "
            f"The search compared the {many(self.compared, 'remaining combination')} that fit into the memory. It compared "
            "time to first token, decode rate, memory, and energy and quality if known. No other design dominates one of the "
            "front. The proof covers whole stages at the clocks and bits to choose from. It leaves out stages that are cut between "
            "units."
        )
