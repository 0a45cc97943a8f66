"""A cost model of arrays whose numbers come from an installed tool: each layer is asked once and kept by content."""

from __future__ import annotations

import math
from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.estimators.protocol import (
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
_LEVEL1_ACCESSES_PER_MAC = 4  # inputs, weights, reads and writes of partial sums, as the closed forms count

Question = dict[str, Any]


class ToolEstimator(CostEstimator):
    """The cycles and accesses of a tool, with the energies per access and MAC of the array.

    A subclass writes the questions. An answer has `cycles`, `buffer_accesses` and `off_chip_accesses`, in elements, of one
    copy of the layer: depthwise layers, groups and repeats run one after the other.

    Args:
        folder: folder of the environments of tools.
        cache: cache of costs.
        limits: limits of the child process.
        tool: the environment and script; by default that of the model's name.

    Attributes:
        notes: sentences on assumptions and limits of the numbers.
    """

    notes: ClassVar[tuple[str, ...]]

    def __init__(
        self, folder: Path, cache: CostCache, limits: ToolLimits | None = None, tool: Tool | None = None
    ) -> None:
        super().__init__()
        self._folder, self._cache, self._limits = folder, cache, limits or ToolLimits()
        self._tool = tool or TOOLS[self.name]

    @abstractmethod
    def question_of(self, layer: Layer, array: ArrayUnit, mapping: str) -> Question:
        """Return the request to the tool for one copy of a layer.

        Raises:
            ProblemError: the mapping has no counterpart in the tool.
        """

    @abstractmethod
    def seconds(self, layer: Layer, question: Question) -> float:
        """Return about how long the tool takes for a layer, in seconds on one core."""

    def estimate(self, graph: Network, unit: ComputeUnit, mapping: str | None = None) -> LayerEstimates:
        """Return the costs, from the cache where the tool was asked for the same layer on the same array before.

        Raises:
            ProblemError: the tool is not installed, or the mapping has no counterpart in it.
            ToolError: the tool crashed or took too long; costs until then are kept.
        """
        array = array_of(unit)
        questions = [self.question_of(layer, array, mapping or array.mapping) for layer in graph.layers]
        answers = self._answers(questions)
        found = [answers[self._key(question)] for question in questions]
        number = np.array([copies(layer) for layer in graph.layers], dtype=np.float64)
        cycles, accesses, off_chip = (
            np.array([each[name] for each in found]) * number
            for name in ("cycles", "buffer_accesses", "off_chip_accesses")
        )
        return LayerEstimates(
            layer_names(graph),
            cycles,
            cycles / array.clock_hz,
            _energy_j(array, accesses, np.array([layer.macs for layer in graph.layers], dtype=np.float64)),
            accesses * array.word_bytes,
            off_chip * array.word_bytes,
            self.notes,
        )

    def missing_s(self, graph: Network, unit: ComputeUnit) -> tuple[int, float]:
        """Return the number of layers without cached costs, and the estimated seconds of the tool for them."""
        array = array_of(unit)
        found = {}
        for layer in graph.layers:
            question = self.question_of(layer, array, array.mapping)
            if self._cache.get(self._key(question)) is None:
                found[self._key(question)] = self.seconds(layer, question)
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


def copies(layer: Layer) -> int:
    """Return the number of equal products of which the layer consists."""
    return layer.repeats * (max(layer.k, layer.c) if layer.depthwise else layer.groups)


def square_rows(elements: int) -> int:
    """Return the rows of the rectangle closest to a square that has as many elements."""
    return next(number for number in range(math.isqrt(elements), 0, -1) if elements % number == 0)


def _energy_j(array: ArrayUnit, accesses: FloatArray, macs: FloatArray) -> FloatArray:
    """Return MACs, accesses in the array and accesses of the shared buffer times their energies, shape of the arguments."""
    figures = array.figures
    per_mac = 1.0 + _LEVEL1_ACCESSES_PER_MAC * np.asarray(figures.level1_access_energy_macs)
    energy_macs = macs * per_mac + accesses * figures.level2_access_energy_macs
    return np.asarray(energy_macs * (array.mac_energy_pj * _JOULES_PER_PICOJOULE))
