"""SCALE-Sim as a cost model of arrays: cycles and accesses of its simulation, energies per access of the unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import PARTIAL_SUMS, STALLS, ArrayUnit
from engines.cost.estimators.tools.tool_estimator import Question, ToolEstimator, copies, square_rows
from engines.workloads.network import Layer

_DATAFLOWS = {"kcp_ws": "ws", "ykp_os": "os", "ykp_os_rows": "os", "ykp_os_kept": "os", "yxp_os": "os"}
_DEFAULT_BUFFER_KB = 1024
_KIB = 1024
# Of single layers on one core here: 0.5 s for 0.9 M, 4.4 s for 9.4 M and 77 s for 116 M MACs on 16 x 16 elements.
_SECONDS_PER_PORT_AND_CYCLE = 5e-6


class ScaleSimEstimator(ToolEstimator):
    """SCALE-Sim without stalls. It has no energies: those per access and MAC are the unit's."""

    name = "scalesim"
    title = "SCALE-Sim"
    words = "SCALE-Sim's cycles and accesses, with the energies per access of the array"
    assumptions: ClassVar[Mapping[str, str]] = {PARTIAL_SUMS: "stay in the array", STALLS: "is not counted"}
    notes = (
        "SCALE-Sim takes the array as a rectangle, with a third of the shared buffer for each tensor.",
        "Depthwise layers, groups and repeats are simulated one after the other.",
        "SCALE-Sim states no energy: accesses and MACs have the energies of the array.",
    )

    def question_of(self, layer: Layer, array: ArrayUnit, mapping: str) -> Question:
        """Return array, dataflow, buffer and dimensions as SCALE-Sim takes them; raises as the base class."""
        if mapping not in _DATAFLOWS:
            reason = f"SCALE-Sim has no dataflow like {mapping}."
            raise ProblemError("mapping", mapping, f"one of {', '.join(_DATAFLOWS)}", reason=reason)
        elements = int(np.max(array.figures.processing_elements))
        rows = square_rows(elements)
        buffer_kb = _DEFAULT_BUFFER_KB if array.buffer_bytes is None else max(array.buffer_bytes // (3 * _KIB), 1)
        channels, filters = (1, 1) if layer.depthwise else (layer.c, layer.k)
        return {
            "name": layer.name, "rows": rows, "columns": elements // rows, "dataflow": _DATAFLOWS[mapping], "buffer_kb": buffer_kb,
            "layer": [layer.y, layer.x, layer.r, layer.s, channels, filters, layer.stride],
        }  # fmt: skip

    def seconds(self, layer: Layer, question: Question) -> float:
        """Return the seconds of a simulation, in proportion to the cycles and the ports of the array."""
        rows, columns = question["rows"], question["columns"]
        cycles = layer.macs / copies(layer) / (rows * columns)
        return float(_SECONDS_PER_PORT_AND_CYCLE * cycles * (rows + columns))
