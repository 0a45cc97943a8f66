"""Waiting where models share links: the term delta of odema-2024 section 4.3.5, for which the text gives no formula.

Reading: "increased traffic contention from more workloads" (section 4.5.3), so models of one window wait for each other, the
segments of one model do not. Over a window a model's traffic on a link waits for all traffic that the other models send over
it, in proportion to the bytes: a transfer of S bytes waits S x max over the links of its route of O(l) / B(l), with B(l) the
bytes of its own model over the link and O(l) the time that the link needs for those of the others. Links of the package,
those to memory included, have the bandwidths of the package; directions are links of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.costs.traffic import link_bytes, transfers
from engines.chiplets.problem.decision import Placement, Window
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.arrays import FloatArray


@dataclass(frozen=True)
class TransferWaits:
    """Seconds per byte that the transfers of a placement wait, shape `segments` each; `input` of the first segment alone."""

    input: FloatArray
    weights: FloatArray
    output: FloatArray


def waiting_of(tables: ScenarioTables, window: Window, location: Sequence[int]) -> tuple[TransferWaits | None, ...]:
    """Return the waits of every placement of a window, None without any; `location`: places of activations at its start."""
    if tables.params.contention == "none" or len(window) == 1:
        return (None,) * len(window)
    own = [link_bytes(tables, placement, location[placement.model]) for placement in window]
    whole = np.sum(own, axis=0)
    per_byte_s = tables.package_model.link_s_per_byte
    return tuple(
        _waiting(tables, placement, location[placement.model], (whole - mine) * per_byte_s, mine)
        for placement, mine in zip(window, own, strict=True)
    )


def _waiting(
    tables: ScenarioTables, placement: Placement, source: int, others_s: FloatArray, own_bytes: FloatArray
) -> TransferWaits:
    per_byte = np.divide(others_s, own_bytes, out=np.zeros(len(own_bytes)), where=own_bytes > 0)
    count = len(placement.path)
    found = TransferWaits(np.zeros(count), np.zeros(count), np.zeros(count))
    for transfer in transfers(tables, placement, source):
        getattr(found, transfer.kind)[transfer.segment] = per_byte[list(transfer.links)].max()
    return found
