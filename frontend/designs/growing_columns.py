"""Columns that grow at their end: an update of a live run costs time for the new rows only."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Columns = Mapping[str, npt.NDArray[Any]]
# Room beyond what is held, as a share of it: more is memory for nothing, less is copied more often.
SPARE = 0.5


class GrowingColumns:
    """Arrays of one length with room at their ends.

    What was handed out is never written to again: columns are views of the first `n` rows, and rows are only added after the
    last. Two who extend the same columns at the same time each get their own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._filled = -1
        self._held: dict[str, npt.NDArray[Any]] = {}

    def extended(self, old: Columns, new: Columns) -> tuple[GrowingColumns, dict[str, npt.NDArray[Any]]]:
        """Return every column of `old` followed by that of `new`.

        Args:
            old: name -> array of shape `n`, as the last call answered them.
            new: the same names -> arrays of shape `k`; texts may be longer than before.

        Returns:
            Whom to ask for the next extension, and name -> array of shape `n + k`.
        """
        before, added = (len(next(iter(part.values()), ())) for part in (old, new))
        if not before:  # Most runs have ended: no room for what never comes.
            return GrowingColumns(), dict(new)
        with self._lock:
            if self._filled in (-1, before):
                self._filled = before + added
                return self, {name: self._appended(name, values, new[name]) for name, values in old.items()}
        return GrowingColumns().extended(old, new)

    def _appended(self, name: str, old: npt.NDArray[Any], new: npt.NDArray[Any]) -> npt.NDArray[Any]:
        kind, total = np.result_type(old.dtype, new.dtype), len(old) + len(new)
        held = self._held.get(name)
        if held is None or held.dtype != kind or len(held) < total:
            held = self._held[name] = np.empty(total + int(SPARE * total), kind)
            held[: len(old)] = old
        held[len(old) : total] = new
        return held[:total]
