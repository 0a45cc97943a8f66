"""SCALE-Sim as a cost model of arrays: cycles and accesses of its simulation, energies per access of the unit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import (
    PARTIAL_SUMS,
    STALLS,
    ArrayUnit,
    ComputeUnit,
    CostEstimator,
    LayerEstimates,
    array_of,
    layer_names,
)
from engines.cost.estimators.tools.cost_cache import CostCache, content_key
from engines.cost.estimators.tools.tool_process import TOOLS, Tool, ToolLimits, ask_tool, python_of
from engines.workloads.network import Layer, Network

_JOULES_PER_PICOJOULE = 1e-12
_DATAFLOWS = {"kcp_ws": "ws", "ykp_os": "os", "ykp_os_rows": "os", "ykp_os_kept": "os", "yxp_os": "os"}
_LEVEL1_ACCESSES_PER_MAC = 4  # inputs, weights, reads and writes of partial sums, as the closed forms count
_DEFAULT_BUFFER_KB = 1024
_KIB = 1024
# Of single layers on one core here: 0.5 s for 0.9 M, 4.4 s for 9.4 M and 77 s for 116 M MACs on 16 x 16 elements.
_SECONDS_PER_PORT_AND_CYCLE = 5e-6

Question = dict[str, Any]


class ScaleSimEstimator(CostEstimator):
    """SCALE-Sim without stalls. It has no energies: those per access and MAC are the unit's.

    Args:
        folder: folder of the environments of tools.
        cache: of costs.
        limits: limits of the child process.
        tool: the environment and script.
    """

    name = "scalesim"
    title = "SCALE-Sim"
    words = "SCALE-Sim's cycles and accesses, with the energies per access of the array"
    assumptions: ClassVar[Mapping[str, str]] = {PARTIAL_SUMS: "stay in the array", STALLS: "is not counted"}

    def __init__(
        self, folder: Path, cache: CostCache, limits: ToolLimits | None = None, tool: Tool = TOOLS["scalesim"]
    ) -> None:
        super().__init__()
        self._folder, self._cache, self._limits, self._tool = folder, cache, limits or ToolLimits(), tool

    def estimate(self, graph: Network, unit: ComputeUnit, mapping: str | None = None) -> LayerEstimates:
        """Return the costs, from the cache where the same layer was simulated on the same array before.

        Raises:
            ProblemError: the tool is not installed, or the mapping has no counterpart in it.
            ToolError: the simulation crashed or took too long; costs until then are kept.
        """
        array = array_of(unit)
        questions = [question_of(layer, array, mapping or array.mapping) for layer in graph.layers]
        answers = self._answers(questions)
        found = [answers[self._key(question)] for question in questions]
        copies = np.array([_copies(layer) for layer in graph.layers], dtype=np.float64)
        cycles, accesses, off_chip = (
            np.array([each[name] for each in found]) * copies
            for name in ("cycles", "buffer_accesses", "off_chip_accesses")
        )
        return LayerEstimates(
            layer_names(graph),
            cycles,
            cycles / array.clock_hz,
            _energy_j(array, accesses, np.array([layer.macs for layer in graph.layers], dtype=np.float64)),
            accesses * array.word_bytes,
            off_chip * array.word_bytes,
            (
                "SCALE-Sim takes the array as a rectangle, with a third of the shared buffer for each tensor.",
                "Depthwise layers, groups and repeats are simulated one after the other.",
                "SCALE-Sim states no energy: accesses and MACs have the energies of the array.",
            ),
        )

    def missing_s(self, graph: Network, unit: ComputeUnit) -> tuple[int, float]:
        """Return how many layers have no costs in the cache, and about how many seconds their simulation takes."""
        array = array_of(unit)
        found = {}
        for layer in graph.layers:
            question = question_of(layer, array, array.mapping)
            if self._cache.get(self._key(question)) is None:
                found[self._key(question)] = _seconds(layer, question)
        return len(found), sum(found.values())

    def _answers(self, questions: list[Question]) -> dict[str, dict[str, Any]]:
        asked = {self._key(question): question for question in questions}
        known = {key: costs for key in asked if (costs := self._cache.get(key)) is not None}
        missing = {key: question for key, question in asked.items() if key not in known}
        if missing:
            python = python_of(self._tool, self._folder)
            answers = ask_tool(self._tool, python, list(missing.values()), self._limits)
            for key, answer in zip(missing, answers, strict=True):
                self._cache.put(key, answer)
                known[key] = answer
        return known

    def _key(self, question: Question) -> str:
        about = {name: value for name, value in question.items() if name != "name"}
        return content_key({**about, "estimator": self.name, "version": self.version, "tool": self._tool.version})


def question_of(layer: Layer, array: ArrayUnit, mapping: str) -> Question:
    """Return what is asked of a layer.

    Raises:
        ProblemError: the mapping has no counterpart.
    """
    if mapping not in _DATAFLOWS:
        reason = f"SCALE-Sim has no dataflow like {mapping}."
        raise ProblemError("mapping", mapping, f"one of {', '.join(_DATAFLOWS)}", reason=reason)
    elements = int(np.max(array.figures.processing_elements))
    rows = next(number for number in range(math.isqrt(elements), 0, -1) if elements % number == 0)
    buffer_kb = _DEFAULT_BUFFER_KB if array.buffer_bytes is None else max(array.buffer_bytes // (3 * _KIB), 1)
    channels, filters = (1, 1) if layer.depthwise else (layer.c, layer.k)
    return {
        "name": layer.name, "rows": rows, "columns": elements // rows, "dataflow": _DATAFLOWS[mapping], "buffer_kb": buffer_kb,
        "layer": [layer.y, layer.x, layer.r, layer.s, channels, filters, layer.stride],
    }  # fmt: skip


def _copies(layer: Layer) -> int:
    return layer.repeats * (max(layer.k, layer.c) if layer.depthwise else layer.groups)


def _energy_j(array: ArrayUnit, accesses: FloatArray, macs: FloatArray) -> FloatArray:
    """Return MACs, accesses in the array and accesses of the shared buffer times their energies, shape of the arguments."""
    figures = array.figures
    per_mac = 1.0 + _LEVEL1_ACCESSES_PER_MAC * np.asarray(figures.level1_access_energy_macs)
    energy_macs = macs * per_mac + accesses * figures.level2_access_energy_macs
    return np.asarray(energy_macs * (array.mac_energy_pj * _JOULES_PER_PICOJOULE))


def _seconds(layer: Layer, question: Question) -> float:
    rows, columns = question["rows"], question["columns"]
    cycles = layer.macs / _copies(layer) / (rows * columns)
    return float(_SECONDS_PER_PORT_AND_CYCLE * cycles * (rows + columns))
