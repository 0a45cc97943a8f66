"""Every way to split a recommender: which choices there are, and all of their combinations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import require
from engines.methods.duet.costs import BYTES, NEAR_MEMORY
from engines.methods.duet.decomposition import Decomposition, decomposed
from engines.methods.duet.params import DuetParams
from engines.methods.duet.recommender import Recommender

GENES = (
    "split_bottom", "top_layers", "split_ratio", "bottom_precision", "tables_precision", "top_precision", "history", "hardware",
    "batch", "near_memory", "edge_near_memory",
)  # fmt: skip
PRECISIONS = ("fp32", "int8")
_RATIOS = tuple(round(0.1 * step, 1) for step in range(1, 10))
_EIGHTHS = tuple(step / 8 for step in range(1, 9))
_SMALLEST_BATCH = 8


@dataclass(frozen=True, eq=False)
class Space:
    """The choices, in the order of `GENES`; a design has the number of one choice of each.

    Attributes:
        ratios: the user's shares of split layers, ascending; one is the user's share of the features.
        nominal: place of that one.
        histories: shares of the lookups that are kept, ascending.
        hardware: whether the hardware unit is there.
        batches: candidates of one server, ascending; the last is the query.
        near_memory: names, of the servers' memory.
        edge_near_memory: names, of the device's memory; only tables in DRAM can be summed there.
        scratchpad_bytes: size of an existing scratchpad; None for one as large as the history.
    """

    model: Recommender
    split_bottom: tuple[bool, ...]
    top_layers: tuple[int, ...]
    ratios: tuple[float, ...]
    nominal: int
    bottom_precisions: tuple[str, ...]
    tables_precisions: tuple[str, ...]
    top_precisions: tuple[str, ...]
    histories: tuple[float, ...]
    hardware: tuple[bool, ...]
    batches: tuple[int, ...]
    near_memory: tuple[str, ...]
    edge_near_memory: tuple[str, ...]
    scratchpad_bytes: float | None

    @property
    def choices(self) -> tuple[tuple[Any, ...], ...]:
        """By gene."""
        return (
            self.split_bottom, self.top_layers, self.ratios, self.bottom_precisions, self.tables_precisions, self.top_precisions,
            self.histories, self.hardware, self.batches, self.near_memory, self.edge_near_memory,
        )  # fmt: skip

    @cached_property
    def every(self) -> IntArray:
        """All designs, shape `n x 11`: all combinations, but for histories that the scratchpad cannot hold.

        Where no top layer is split, no ratio counts: one represents all. Likewise near-memory processing of the device, where its
        tables are in the scratchpad.
        """
        sizes = [len(each) for each in self.choices]
        genes = np.indices(sizes, dtype=np.int64).reshape(len(sizes), -1).T
        unsplit = np.array([count == 0 for count in self.top_layers])[genes[:, 1]]
        kept = ~unsplit | (genes[:, 2] == self.nominal)
        kept &= ~np.array(self.hardware)[genes[:, 7]] | (genes[:, 10] == 0)
        return np.ascontiguousarray(genes[kept & self.fits(genes)])

    def fits(self, genes: IntArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return whether the history of each design fits its scratchpad, shape `n`."""
        if self.scratchpad_bytes is None:
            return np.ones(len(genes), dtype=bool)
        needed = np.array(
            [[self.history_bytes(share, name) for share in self.histories] for name in self.tables_precisions]
        )
        on_chip = np.array(self.hardware)[genes[:, 7]]
        return np.asarray(~on_chip | (needed[genes[:, 4], genes[:, 6]] <= self.scratchpad_bytes))

    def history_bytes(self, share: float, precision: str) -> float:
        """Return the bytes of a history in the user's own tables."""
        rows = sum(each.count * kept(each.lookups, share) for each in self.model.tables if each.user_lookups)
        return float(rows * self.model.dimension * BYTES[precision])

    def history_rows(self, share: float) -> int:
        """Return the rows that a query reads of the user's own tables."""
        return sum(each.count * kept(each.user_lookups, share) for each in self.model.tables if each.user_lookups)

    @cached_property
    def parts(self) -> dict[tuple[bool, int, int], Decomposition]:
        """(bottom split, top layers, number of the ratio) -> widths."""
        return {
            (split, count, place): decomposed(self.model, split, count, ratio)
            for split in self.split_bottom
            for count in self.top_layers
            for place, ratio in enumerate(self.ratios)
        }

    @cached_property
    def payloads(self) -> tuple[float, ...]:
        """Bytes of every result that a device might send."""
        values = {each.payload for each in self.parts.values()}
        return tuple(sorted({float(value * BYTES[name]) for value in values for name in self.top_precisions}))


def kept(lookups: int, share: float) -> int:
    """Return the number of kept lookups, at least one."""
    return max(1, int(np.ceil(lookups * share - 1e-9)))


def space_of(model: Recommender, params: DuetParams) -> Space:
    """Return the choices of a problem.

    Raises:
        ProblemError: no history fits the scratchpad.
    """
    ratios = tuple(sorted({*_RATIOS, round(model.feature_share, 6)}))
    precisions = PRECISIONS if params.quantise else PRECISIONS[:1]
    hardware = {"any": (False, True), "scratchpad": (True,), "dram": (False,)}[params.memory]
    sizes = [_SMALLEST_BATCH * 2**step for step in range(20) if _SMALLEST_BATCH * 2**step < params.query_size]
    space = Space(
        model=model,
        split_bottom=(False, True) if model.bottom else (False,),
        top_layers=tuple(range(len(model.top))),
        ratios=ratios,
        nominal=ratios.index(round(model.feature_share, 6)),
        bottom_precisions=precisions if model.bottom else PRECISIONS[:1],
        tables_precisions=precisions,
        top_precisions=precisions,
        histories=_EIGHTHS if params.history_share is None else (params.history_share,),
        hardware=hardware,
        batches=(*sizes, params.query_size),
        near_memory=tuple(NEAR_MEMORY) if params.near_memory == "any" else (params.near_memory,),
        edge_near_memory=_beside_none(params.edge_near_memory),
        scratchpad_bytes=None if params.scratchpad_kib is None else 1024 * params.scratchpad_kib,
    )
    if space.scratchpad_bytes is not None and True in hardware:
        least = min(space.history_bytes(space.histories[0], name) for name in space.tables_precisions)
        kib = least / 1024
        reason = (
            f"A share of {space.histories[0]:g} of the history needs this size. "
            f"The whole history needs {model.scratchpad_bytes / 1024:.4g} KiB in fp32."
        )
        fits, accepted = least <= space.scratchpad_bytes, f"at least {kib:.4g} KiB"
        require(fits, "params.scratchpad_kib", params.scratchpad_kib, accepted, reason=reason)
    return space


def _beside_none(choice: str) -> tuple[str, ...]:
    """Return the choices of near-memory units: only "none" next to a scratchpad, so that "none" is always a choice."""
    return tuple(name for name in NEAR_MEMORY if choice in ("any", name) or name == "none")
