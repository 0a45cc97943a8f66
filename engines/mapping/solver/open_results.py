"""On which units the results lie that are still to be read: the state of a search over networks with branches."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.mapping.solver.unit_costs import Skips, UnitCosts

MOST_OPEN = 6
_MOST_BITS = 62


class OpenResults:
    """Where results lie that later blocks read, as bits of one number per partial mapping: a field of `u` bits per result.

    Attributes:
        left_out: number of results that are not distinguished because too many wait at the same time.
        any: whether there is anything to keep track of.
    """

    def __init__(self, costs: UnitCosts, most_open: int) -> None:
        skips, units = costs.skips, costs.units
        rows = list(range(len(skips.producer))) if skips is not None else []
        most = min(most_open, _MOST_BITS // units)
        self.left_out = 0
        while rows and skips is not None and (crowd := self._crowd(skips, rows, most)):
            rows.remove(min(crowd, key=lambda row: float(skips.handover_s[row].mean())))
            self.left_out += 1
        self.any = bool(rows)
        if skips is None or not rows:
            return
        self._skips, self._all = skips.take(rows), (1 << units) - 1
        self._offset = self._fields(self._skips, units)

    @staticmethod
    def _crowd(skips: Skips, rows: list[int], most: int) -> list[int]:
        """Return the results that wait at the same time where that are too many; empty where it is nowhere."""
        for row in rows:
            begin = skips.producer[row]
            waiting = [other for other in rows if skips.producer[other] <= begin < skips.readers[other][-1]]
            if len(waiting) > most:
                return waiting
        return []

    @staticmethod
    def _fields(skips: Skips, units: int) -> list[int]:
        """Return the lowest bit of each result's field; fields are used again when nobody reads the result any more."""
        offsets: list[int] = []
        free_from: dict[int, int] = {}  # place of a field -> block from which on it is free
        for producer, readers in zip(skips.producer, skips.readers, strict=True):
            place = next((at for at, block in sorted(free_from.items()) if block <= producer), len(free_from))
            free_from[place] = readers[-1]
            offsets.append(place * units)
        return offsets

    def at_block(
        self, block: int, unit: IntArray, held: IntArray, setting: IntArray
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return the results held in memory by partial mappings after a block on `unit`, and the cost of transferring its inputs.

        Shapes as `unit`.
        """
        more_s, more_j = np.zeros(len(unit)), np.zeros(len(unit))
        skips = self._skips
        for row, (producer, readers, offset) in enumerate(
            zip(skips.producer, skips.readers, self._offset, strict=True)
        ):
            if not producer < block <= readers[-1]:
                continue
            if block == producer + 1 and skips.read_next[row]:
                held = held | (1 << unit) << offset
            elif block in readers:
                away = (held >> (offset + unit)) & 1 == 0
                more_s += np.where(away, skips.handover_s[row, setting], 0.0)
                more_j += np.where(away, skips.handover_j[row, setting], 0.0)
                held = held | (1 << unit) << offset
            if block == readers[-1]:
                held = held & ~(self._all << offset)
        # After all readers: a field may pass from a result that was read last here to one that is made here.
        for producer, offset in zip(skips.producer, self._offset, strict=True):
            if block == producer:
                held = held | (1 << unit) << offset
        return held, more_s, more_j
