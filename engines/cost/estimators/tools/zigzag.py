"""ZigZag as a cost model of arrays: cycles and accesses of the temporal mapping that it finds, energies of the unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from engines.contract.errors import ProblemError
from engines.cost.dataflow.mappings import KCP_CLUSTER_PES, YKP_CLUSTER_PES, YXP_CLUSTER_PES
from engines.cost.estimators.protocol import PARTIAL_SUMS, STALLS, ArrayUnit
from engines.cost.estimators.tools.tool_estimator import Question, ToolEstimator
from engines.workloads.network import Layer

# Mapping -> loops over clusters and within one, and the elements of a cluster.
_SPATIAL_LOOPS = {
    "kcp_ws": ("K", "C", KCP_CLUSTER_PES),
    "ykp_os": ("OY", "K", YKP_CLUSTER_PES),
    "ykp_os_rows": ("OY", "K", YKP_CLUSTER_PES),
    "ykp_os_kept": ("OY", "K", YKP_CLUSTER_PES),
    "yxp_os": ("OY", "OX", YXP_CLUSTER_PES),
}
_DEFAULT_BUFFER_BYTES = 1 << 20
_BITS_PER_BYTE = 8
# Six layers of at most 1.2 M MACs took 28 s of processor time together, the start included. The orders of loops count, not MACs.
_SECONDS_PER_LAYER = 5.0


class ZigZagEstimator(ToolEstimator):
    """ZigZag with the dataflow as spatial mapping and a temporal mapping of least latency."""

    name = "zigzag"
    title = "ZigZag"
    words = "ZigZag's cycles and accesses, with the energies per access of the array"
    assumptions: ClassVar[Mapping[str, str]] = {
        PARTIAL_SUMS: "leave the array where ZigZag's order of loops makes them",
        STALLS: "is counted at the shared buffer, not off chip",
    }
    notes = (
        "ZigZag searches the order of loops; the dataflow sets only which loops run in parallel.",
        "Each processing element has a register for one weight and one for a partial sum, both of one word.",
        "Depthwise layers, groups and repeats run one after the other.",
        "Accesses and MACs have the energies of the array.",
    )

    def question_of(self, layer: Layer, array: ArrayUnit, mapping: str) -> Question:
        """Return array, parallel loops, buffer and loop sizes as ZigZag takes them; raises as the base class."""
        if mapping not in _SPATIAL_LOOPS:
            reason = f"ZigZag has no spatial mapping like {mapping} here."
            raise ProblemError("mapping", mapping, f"one of {', '.join(_SPATIAL_LOOPS)}", reason=reason)
        outer, inner, cluster = _SPATIAL_LOOPS[mapping]
        elements = int(np.max(array.figures.processing_elements))
        columns = min(cluster, elements)
        word_bits = max(round(array.word_bytes * _BITS_PER_BYTE), 1)
        bandwidth = float(np.max(array.figures.bandwidth_elements_per_cycle))
        channels, filters = (1, 1) if layer.depthwise else (layer.c, layer.k)
        return {
            "name": layer.name,
            "sizes": [elements // columns, columns],
            "parallel": [outer, inner],
            "word_bits": word_bits,
            "bandwidth_bits": max(int(bandwidth * word_bits), word_bits),
            "buffer_bits": _BITS_PER_BYTE * (array.buffer_bytes or _DEFAULT_BUFFER_BYTES),
            "stride": layer.stride,
            "loops": {
                "K": filters,
                "C": channels,
                "OY": (layer.y - layer.r) // layer.stride + 1,
                "OX": (layer.x - layer.s) // layer.stride + 1,
                "FY": layer.r,
                "FX": layer.s,
            },
        }

    def seconds(self, layer: Layer, question: Question) -> float:
        """Return the seconds of a search over orders of loops; it does not depend on the MACs."""
        return _SECONDS_PER_LAYER
