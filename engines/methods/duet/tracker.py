"""The scratchpad of the hardware unit with its location tracker (goyal-2023 section 5.2.6.1, Figure 5.8).

Three registers hold addresses: Base and End of the user's rows, and Oldest, the row that the next one overwrites. Writing goes up:

    write at Oldest;  Oldest = End if Oldest = Base else Oldest - 1
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray


@dataclass(frozen=True)
class TrackerState:
    """The registers, as they are stored with the rows at the end of a session."""

    base: int
    end: int
    oldest: int


class Scratchpad:
    """Rows of a user's own table, of a fixed number.

    Args:
        rows: rows of the history, the oldest first, shape `n x d` with n from 1 on.
        base: address of the first row.
    """

    def __init__(self, rows: FloatArray, base: int = 0) -> None:
        if rows.ndim != 2 or not len(rows):
            raise ValueError(f"rows must have the shape n x d with n from 1 on. Got {rows.shape} instead.")
        # The oldest row is where the next one goes, and those after it lie above: the history stands upside down.
        self._rows = np.array(rows[::-1])
        self.state = TrackerState(base, base + len(rows) - 1, base + len(rows) - 1)

    @property
    def rows(self) -> FloatArray:
        """All rows as they lie, from Base to End: what a query reads, in one piece, shape `n x d`."""
        return self._rows

    def update(self, row: FloatArray) -> int:
        """Write a new row in the place of the oldest; the address that was written.

        Raises:
            ValueError: the row has another width.
        """
        if row.shape != self._rows.shape[1:]:
            raise ValueError(f"The row must have the shape {self._rows.shape[1:]}. Got {row.shape} instead.")
        state, written = self.state, self.state.oldest
        self._rows[written - state.base] = row
        oldest = state.end if written == state.base else written - 1
        self.state = TrackerState(state.base, state.end, oldest)
        return written

    def history(self) -> FloatArray:
        """Return the rows in the order of time, the oldest first, shape `n x d`."""
        place = self.state.oldest - self.state.base
        return np.roll(self._rows[::-1], place + 1 - len(self._rows), axis=0)
