"""The device of one user: what it remembers, its own tables, and a query that computes the user's half once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from engines.methods.duet.execution.modules import DecomposedModules
from engines.methods.duet.tracker import Scratchpad


class Device:
    """One user's hardware unit: the memoisation register, and a scratchpad per table of the history.

    Args:
        model: trained, in one place; only the user's half and the rows of the history come to the device.
        dense: the user's dense inputs, `1 x inputs`, of which the static ones are used here.
        history: ids of the history by table, the oldest first, `1 x lookups` each.
    """

    def __init__(self, model: DecomposedModules, dense: Tensor, history: Sequence[Tensor]) -> None:
        self.half = model.user
        with torch.no_grad():
            self.register = self.half.remembered(dense)
            self.scratchpads = [Scratchpad(rows[0].numpy()) for rows in model.embeddings.rows(history)]

    def update(self, rows: Sequence[Tensor]) -> None:
        """Take in the embeddings of an item that the user clicked, `d` for each table."""
        for scratchpad, row in zip(self.scratchpads, rows, strict=True):
            scratchpad.update(row.detach().numpy())

    def pooled(self) -> Tensor:
        """Return the user's own tables added up, `1 x tables d`."""
        sums = [torch.from_numpy(np.ascontiguousarray(each.rows)).sum(dim=0, keepdim=True) for each in self.scratchpads]
        return torch.cat(sums, dim=1)

    def vector(self, dense: Tensor, half: nn.Module | None = None) -> Tensor:
        """Return the vector sent for a query, shape `1 x payload`; `half` replaces the user's top MLP, as in another precision."""
        with torch.no_grad():
            features = self.half.features(self.register, dense, self.pooled())
            return (self.half.top if half is None else half)(features)


def ranked(model: DecomposedModules, vector: Tensor, candidate: Sequence[Tensor]) -> Tensor:
    """Return the outputs of all candidates in the datacentre, `c x outputs`; ids of one row per candidate."""
    with torch.no_grad():
        found: Tensor = model.item(vector, model.embeddings.of_candidate(candidate))
        return found


def naive(model: nn.Module, dense: Tensor, history: Sequence[Tensor], candidate: Sequence[Tensor]) -> Tensor:
    """Return the outputs with all layers recomputed for every candidate, from the tables of the datacentre."""
    count = len(candidate[0])
    with torch.no_grad():
        found: Tensor = model(dense.expand(count, -1), [ids.expand(count, -1) for ids in history], candidate)
        return found
