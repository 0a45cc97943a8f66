"""Decisions that are decoded on access, because a front of a hundred thousand designs needs none of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, overload

import numpy as np

from engines.contract.arrays import IntArray


class StoredDecisions(Sequence[Mapping[str, Any]]):
    """A sequence of `n` decisions. Their texts are read once, on first access; each decision is decoded on its own access.

    Args:
        count: number of decisions.
        read: returns their canonical JSON texts; None makes every access raise LookupError.
        rows: indices of the decisions among the texts, shape `n`; by default all in order.
    """

    def __init__(self, count: int, read: Callable[[], Sequence[str]] | None = None, rows: IntArray | None = None):
        self._read = cache(read or _unread)
        self._rows = np.arange(count) if rows is None else rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        return json.loads(self._read()[self._rows[index]])

    @staticmethod
    def joined(parts: Sequence[StoredDecisions]) -> StoredDecisions:
        """Return all decisions of `parts` in order; nothing is read or decoded."""
        return StoredDecisions(sum(map(len, parts)), lambda: [text for part in parts for text in part._texts()])

    def _texts(self) -> list[str]:
        texts = self._read()
        return [texts[row] for row in self._rows.tolist()]

    def take(self, indices: IntArray) -> StoredDecisions:
        """Return the decisions at `indices`, in that order; nothing is read or decoded."""
        return StoredDecisions(len(indices), self._read, self._rows[indices])


def _unread() -> Sequence[str]:
    raise LookupError("The decisions of these designs were not read.")
