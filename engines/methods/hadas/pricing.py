"""Prices parts of networks on one unit at many clock settings, each different part once.

The cost model prices operations by themselves, so that equal parts of two backbones cost the same: what was priced is kept.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable

_KEPT_NUMBERS = 12_000_000  # about 100 MB
_ARRAYS = (
    "runs", "macs", "activation_elements", "output_elements", "weight_elements", "launches", "unrolled_elements", "weight_bits",
    "activation_bits",
)  # fmt: skip


class PartPrices:
    """Latency and energy of parts at settings.

    Args:
        model: prices operations.
        unit: on which.
        settings: `s` of them.
    """

    def __init__(self, model: SocCostModel, unit: str, settings: ClockSettings) -> None:
        self._model, self._unit, self.settings = model, unit, settings
        self._kept: dict[tuple[object, ...], tuple[FloatArray, FloatArray]] = {}

    def price(self, table: OperationTable, starts: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """Return the latency and energy of each part, shape `parts x s`.

        Args:
            table: table of the whole network.
            starts: first operation of each part, ascending from 0.

        Raises:
            NoEstimateError: names the operation that no estimate covers.
        """
        ranges = list(pairwise((*starts, len(table))))
        keys = [_key(table, begin, end) for begin, end in ranges]
        if 2 * len(self._kept) * len(self.settings) > _KEPT_NUMBERS:
            self._kept.clear()
        found: dict[tuple[object, ...], tuple[FloatArray, FloatArray]] = {}
        for key, (begin, end) in zip(keys, ranges, strict=True):
            if key not in found:
                found[key] = self._kept.get(key) or self._priced(table, begin, end)
        self._kept |= found
        return np.stack([found[key][0] for key in keys]), np.stack([found[key][1] for key in keys])

    def _priced(self, table: OperationTable, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        if begin == end:
            return np.zeros(len(self.settings)), np.zeros(len(self.settings))
        part = part_of(table, begin, end)
        costs = self._model.costs(part, self.settings, units=[self._unit])
        # One after the other: a sum at one setting would be rounded differently from that at many.
        return np.cumsum(costs.latency_s[:, 0], axis=0)[-1], np.cumsum(costs.energy_j[:, 0], axis=0)[-1]


def part_of(table: OperationTable, begin: int, end: int) -> OperationTable:
    """Return the operations from `begin` up to `end`."""
    arrays = {name: getattr(table, name)[begin:end] for name in _ARRAYS}
    finer_kinds = table.finer_kinds[begin:end]
    return OperationTable(table.names[begin:end], table.kinds[begin:end], finer_kinds=finer_kinds, **arrays)


def _key(table: OperationTable, begin: int, end: int) -> tuple[object, ...]:
    return (table.finer_kinds[begin:end], *(getattr(table, name)[begin:end].tobytes() for name in _ARRAYS))
