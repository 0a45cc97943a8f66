"""The dataflow cost model as an estimator, and the same with partial sums that stay in the array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engines.cost.dataflow.model import mapping_costs, shapes_of
from engines.cost.estimators.protocol import (
    PARTIAL_SUMS,
    STALLS,
    ComputeUnit,
    CostEstimator,
    LayerEstimates,
    array_of,
    layer_names,
    unknown,
)
from engines.workloads.network import Network

_JOULES_PER_PICOJOULE = 1e-12
# The same loop nest, with outputs that leave the array once.
_KEPT = {"ykp_os": "ykp_os_kept", "ykp_os_rows": "ykp_os_kept"}


class DataflowEstimator(CostEstimator):
    """MAESTRO's closed forms: an output-stationary array writes partial sums back in every step."""

    name = "dataflow"
    title = "Dataflow model, equal to MAESTRO"
    words = "MAESTRO's closed forms"
    assumptions: ClassVar[Mapping[str, str]] = {PARTIAL_SUMS: "leave the array in every step", STALLS: "is not counted"}

    def mapping_of(self, name: str) -> str:
        """Return the mapping that this model computes where `name` is asked for."""
        return name

    def estimate(self, graph: Network, unit: ComputeUnit, mapping: str | None = None) -> LayerEstimates:
        """Return the costs as `engines.cost.dataflow.model.mapping_costs` has them; off-chip traffic is the caller's."""
        array, names = array_of(unit), layer_names(graph)
        computed, nothing = self.mapping_of(mapping or array.mapping), unknown(len(names))
        costs = mapping_costs(computed, shapes_of(graph.layers), array.figures)
        waits = array.figures.off_chip_bandwidth_elements_per_cycle is not None
        memory = "a step waits for off-chip memory by MAESTRO's rule" if waits else "no layer waits for off-chip memory"
        return LayerEstimates(
            names,
            costs.cycles,
            costs.latency_s(array.clock_hz),
            costs.energy_macs * (array.mac_energy_pj * _JOULES_PER_PICOJOULE),
            costs.level2_accesses * array.word_bytes,
            nothing,
            (f"Buffers have double size, and {memory}.",),
        )


class IdealArrayEstimator(DataflowEstimator):
    """The same closed forms, but partial sums of an output-stationary array stay in its processing elements."""

    name = "ideal-array"
    title = "Ideal array, partial sums stay in it"
    words = "closed forms with partial sums that stay in the array (not checked against MAESTRO)"
    assumptions: ClassVar[Mapping[str, str]] = {PARTIAL_SUMS: "stay in the array", STALLS: "is not counted"}

    def mapping_of(self, name: str) -> str:
        """Return the mapping whose outputs leave the array once; weight-stationary ones stay as they are."""
        return _KEPT.get(name, name)
