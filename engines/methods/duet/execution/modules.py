"""A recommender in torch, monolithic and decomposed, of the same parts: tables that are summed up, and stacks of layers.

`dense` are the inputs of the bottom MLP, static ones first. `history` has the ids that the user's history looks up, one tensor per
table that it looks up; `candidate` likewise those of the candidate. A shared table stands in both.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engines.methods.duet.decomposition import Decomposition
from engines.methods.duet.recommender import Recommender, layers_of


def stack(widths: Sequence[int], last: bool = True) -> nn.Sequential:
    """Return the linear layers with ReLU between them, and after the last where `last` says so.

    Of one width nothing is left to compute.
    """
    layers: list[nn.Module] = []
    for number, (before, after) in enumerate(layers_of(tuple(widths)), 2):
        layers.append(nn.Linear(before, after))
        if last or number < len(widths):
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class Tables(nn.Module):
    """All embedding tables of a model; the rows that an inference looks up in a table are added up.

    Args:
        model: whose tables these are.
        entries: rows of each table; those of the model by default, and no more than `most`.
    """

    def __init__(self, model: Recommender, entries: Sequence[int] | None = None, most: int = 1000) -> None:
        super().__init__()
        each = [table for table in model.tables for _ in range(table.count)]
        sizes = [min(most, table.entries) for table in each] if entries is None else list(entries)
        self.tables = nn.ModuleList(nn.Embedding(size, model.dimension) for size in sizes)
        for table in self.tables:
            nn.init.normal_(table.weight, std=model.dimension**-0.5)
        self.by_history = [number for number, table in enumerate(each) if table.user_lookups]
        self.by_candidate = [number for number, table in enumerate(each) if table.item_lookups]

    def rows(self, history: Sequence[Tensor]) -> list[Tensor]:
        """Return the rows of the user's history, one `b x lookups x d` per table."""
        return [self.tables[number](ids) for number, ids in zip(self.by_history, history, strict=True)]

    def of_history(self, history: Sequence[Tensor]) -> Tensor:
        """Return pooled, side by side, `b x tables d`."""
        return torch.cat([rows.sum(dim=1) for rows in self.rows(history)], dim=1)

    def of_candidate(self, candidate: Sequence[Tensor]) -> Tensor:
        """Return the pooled embeddings of a candidate."""
        pooled = [self.tables[number](ids).sum(dim=1) for number, ids in zip(self.by_candidate, candidate, strict=True)]
        return torch.cat(pooled, dim=1)


class Monolithic(nn.Module):
    """The whole model, for every candidate."""

    def __init__(self, model: Recommender, entries: Sequence[int] | None = None) -> None:
        super().__init__()
        self.embeddings = Tables(model, entries)
        self.bottom = stack(model.bottom) if model.bottom else None
        self.top = stack((model.features, *model.top), last=False)

    def forward(self, dense: Tensor, history: Sequence[Tensor], candidate: Sequence[Tensor]) -> Tensor:
        """Return the outputs before the sigmoid or softmax, `b x outputs`; every row has a user and a candidate."""
        parts = [] if self.bottom is None else [self.bottom(dense)]
        parts += [self.embeddings.of_history(history), self.embeddings.of_candidate(candidate)]
        return self.top(torch.cat(parts, dim=1))


class UserHalf(nn.Module):
    """The half on the device: halves of the bottom MLP, and the user's half of the top MLP."""

    def __init__(self, parts: Decomposition) -> None:
        super().__init__()
        self.static_inputs = parts.static[0] if parts.static else 0
        self.static = stack(parts.static) if parts.static else None
        self.dynamic = stack(parts.dynamic) if parts.dynamic else None
        self.joined = stack(parts.joined)
        self.top = stack(parts.user_top)

    def remembered(self, dense: Tensor) -> Tensor:
        """Return the output of the static half, which is equal for all queries, shape `b x width`."""
        return dense[:, :0] if self.static is None else self.static(dense[:, : self.static_inputs])

    def features(self, remembered: Tensor, dense: Tensor, pooled: Tensor) -> Tensor:
        """Return the user's features, `b x width`."""
        dynamic = dense[:, :0] if self.dynamic is None else self.dynamic(dense[:, self.static_inputs :])
        return torch.cat([self.joined(torch.cat([remembered, dynamic], dim=1)), pooled], dim=1)

    def forward(self, remembered: Tensor, dense: Tensor, pooled: Tensor) -> Tensor:
        """Return the user's vector, which the device sends, `b x payload`."""
        return self.top(self.features(remembered, dense, pooled))


class ItemHalf(nn.Module):
    """The half in the datacentre: the candidates' half of the top MLP, then the layers that join both."""

    def __init__(self, parts: Decomposition) -> None:
        super().__init__()
        self.top = stack(parts.item_top)
        self.combined = stack(parts.combined, last=False)

    def forward(self, user: Tensor, pooled: Tensor) -> Tensor:
        """Return the outputs before the sigmoid or softmax, `c x outputs`, of one user's vector, or of `c`, and `c` candidates."""
        return self.combined(torch.cat([user.expand(pooled.shape[0], -1), self.top(pooled)], dim=1))


class DecomposedModules(nn.Module):
    """Both halves in one place, for training and to compare with: everything is computed for every row."""

    def __init__(self, model: Recommender, parts: Decomposition, entries: Sequence[int] | None = None) -> None:
        super().__init__()
        self.embeddings = Tables(model, entries)
        self.user, self.item = UserHalf(parts), ItemHalf(parts)

    def forward(self, dense: Tensor, history: Sequence[Tensor], candidate: Sequence[Tensor]) -> Tensor:
        """Return the output of `Monolithic.forward`, computed in two halves."""
        user = self.user(self.user.remembered(dense), dense, self.embeddings.of_history(history))
        return self.item(user, self.embeddings.of_candidate(candidate))
