"""Latency and energy of operations on accelerators of different dataflows that share a memory, by the dataflow cost model.

No calibration: cycles and energies follow from loop order, array and bandwidth (`engines.cost.dataflow.model`). On a unit of clock
f,

    t = cycles / f,    E = energy in multiply-accumulates x the unit's energy of one,

and a change of unit writes the result to the shared memory and reads it again (odema-2023 eqs. 6 and 7). Operations that
multiply nothing run in the shadow of those that do and cost nothing. An element is a byte, unless the network states its bits or
others are asked for (`engines.cost.dataflow.element_widths`); energy does not follow the clock. A unit with an off-chip bandwidth
keeps to MAESTRO's rule: no step is shorter than fetching the first working set takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.cost.dataflow.element_widths import element_widths
from engines.cost.dataflow.model import ArrayFigures
from engines.cost.estimators.closed_forms import DataflowEstimator
from engines.cost.estimators.protocol import ArrayUnit, CostEstimator
from engines.cost.estimators.registry import cost_model_words
from engines.cost.soc.clocks import MEMORY, ClockSettings, named_mode
from engines.cost.soc.model import SocCostModel, SocCosts, TransitionCosts, bits_of
from engines.cost.soc.operations import OperationTable, operation_table
from engines.workloads.network import Network
from hardware.bits import bit_widths
from hardware.soc.model import Soc

_JOULES_PER_PICOJOULE = 1e-12
_WORD = bit_widths("int8")


def array_units(soc: Soc) -> tuple[ArrayUnit, ...]:
    """Return the accelerators of a device with a dataflow as `ArrayUnit`s."""
    found = []
    for unit in soc.units.values():
        array = unit.dataflow
        assert array is not None  # the loader refuses a device that has it for some units alone
        figures = ArrayFigures(
            array.processing_elements,
            array.bandwidth_elements_per_cycle,
            off_chip_bandwidth_elements_per_cycle=array.off_chip_bandwidth_elements_per_cycle,
        )
        clock_hz, buffer_bytes = unit.frequencies_hz[-1], unit.on_chip_memory_bytes
        found.append(ArrayUnit(unit.name, array.mapping, figures, clock_hz, array.mac_energy_pj, 1.0, buffer_bytes))
    return tuple(found)


class DataflowCostModel:
    """The cost model of one network on a device whose units are accelerators with a dataflow; same interface as `SocCostModel`.

    Attributes:
        calibration: always None.
        launcher: always "", because there are no launches.
        precision, bits: widths of elements if the network states none; 8 bits by default.
        counts_stated_bits: whether the network's own bits count.
        estimator: estimator of the costs of layers.
        operations: operations of the network, of which those run that multiply.
        units: names of the accelerators.

    Raises:
        ProblemError: the device lacks such units, a shared memory or the mode, or the bits are unknown.
    """

    calibration: None = None
    launcher = ""

    def __init__(
        self,
        soc: Soc,
        network: Network,
        *,
        mode: str | None = None,
        bits: str = "",
        estimator: CostEstimator | None = None,
    ) -> None:
        if not soc.by_dataflow or soc.memory is None:
            raise ProblemError("inputs.hardware.units", soc.slug, "units with a dataflow that share a memory")
        self.soc, self.mode, self._memory = soc, named_mode(soc, mode), soc.memory
        asked = bits_of(bits, "params.bits") if bits else None
        self.bits, self.counts_stated_bits = asked or _WORD, asked is None
        self.precision = self.bits.name
        self.units = tuple(soc.units)
        table, place = operation_table(network.operations), {layer.name: at for at, layer in enumerate(network.layers)}
        runs = np.array([name in place for name in table.names], dtype=bool)
        self.operations: OperationTable = replace(table, runs=runs)
        self.estimator = estimator or DataflowEstimator()
        arrays = array_units(soc)
        self._cycles, self._joules = np.zeros((len(table), len(self.units))), np.zeros((len(table), len(self.units)))
        self._activation_bytes = element_widths(network, table.names, _WORD, asked).activation_bytes
        widths = element_widths(network, [layer.name for layer in network.layers], _WORD, asked)
        order = [place[name] for name in table.names if name in place]
        self._elements: dict[str, int] = {}
        for column, unit in enumerate(arrays):
            found = self.estimator.estimate(network, replace(unit, figures=widths.on(unit.figures)))
            self._cycles[runs, column], self._joules[runs, column] = found.cycles[order], found.energy_j[order]
            self._elements[unit.name] = int(unit.figures.processing_elements)

    @property
    def estimator_words(self) -> str:
        """Return the suffix of the model's name for an estimator other than the default."""
        return cost_model_words(self.estimator.name)

    def costs(
        self,
        operations: OperationTable,
        clocks: ClockSettings,
        *,
        units: Sequence[str] | None = None,
        batch: int = 1,
        groups: Sequence[int] | None = None,
        partial: bool = False,
        workload: str = "",
    ) -> SocCosts:
        """Return costs like `SocCostModel.costs`, of the network's own operations; samples of a batch run one after the other.

        Raises:
            ProblemError: a unit cannot run an operation, and `partial` is False.
        """
        units = tuple(units) if units is not None else self.units
        places = [self.units.index(unit) for unit in units]
        cycles, joules = self._cycles[:, places] * batch, self._joules[:, places] * batch
        supported = np.ones(cycles.shape, dtype=bool)
        reasons = self._reasons(operations, units)
        for (row, unit), why in reasons.items():
            if not partial:
                reason = f"It cannot run there: {why}."
                accepted = "operations that it runs"
                raise ProblemError("operations", f"{operations.names[row]} on {unit}", accepted, reason=reason)
            supported[row, units.index(unit)] = False
        if groups is not None:
            starts = np.asarray(groups, dtype=np.int64)
            cycles, joules = np.add.reduceat(cycles, starts, axis=0), np.add.reduceat(joules, starts, axis=0)
            supported = np.logical_and.reduceat(supported, starts, axis=0)
            reasons = {
                (int(np.searchsorted(starts, row, side="right")) - 1, unit): why for (row, unit), why in reasons.items()
            }
        hertz = np.stack([clocks.frequencies_hz[unit] for unit in units])
        open_to = supported[:, :, None]
        latency = np.where(open_to, cycles[:, :, None] / hertz, np.inf)
        energy = np.where(open_to, joules[:, :, None] * np.ones(hertz.shape), np.inf)
        return SocCosts(units, latency, energy, supported, reasons)

    def time_parts_s(
        self, operations: OperationTable, clocks: ClockSettings, unit: str, *, batch: int = 1, workload: str = ""
    ) -> FloatArray:
        """Return times like `SocCostModel.time_parts_s`: no launches; compute is the time of the products on the whole array."""
        hertz = clocks.frequencies_hz[unit][0]
        latency = self._cycles[:, self.units.index(unit)] * batch / hertz
        products = np.where(operations.runs, operations.macs, 0.0) * batch / (self._elements[unit] * hertz)
        compute = np.minimum(products, latency)
        return np.stack([np.zeros_like(latency), compute, latency - compute], axis=1)

    def transitions(self, operations: OperationTable, clocks: ClockSettings, *, batch: int = 1) -> TransitionCosts:
        """Return transitions like `SocCostModel.transitions`: each result is written to shared memory and read again."""
        moved = 2.0 * (operations.output_elements * self._activation_bytes)[:, None] * batch
        bandwidth = self._memory.bytes_per_cycle * clocks.frequencies_hz[MEMORY]
        per_byte = (self._memory.access_energy_pj_per_byte or 0.0) * _JOULES_PER_PICOJOULE
        return TransitionCosts(moved / bandwidth, moved * per_byte * np.ones(len(clocks)))

    def _reasons(self, operations: OperationTable, units: Sequence[str]) -> dict[tuple[int, str], str]:
        """Return (row, unit) -> reason why the unit cannot run the operation."""
        found = {}
        for unit in units:
            own = self.soc.units[unit].supported_operations
            for row in np.flatnonzero(operations.runs).tolist() if own is not None else ():
                if own is not None and operations.kinds[row] not in own:
                    found[row, unit] = f"{operations.names[row]}: {unit} does not run {operations.kinds[row]}"
        return found


CostModel = SocCostModel | DataflowCostModel
