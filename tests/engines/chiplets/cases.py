"""Tables with round numbers, to work the equations by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.tables import ModelTables, ScenarioTables
from engines.cost.package.model import PackageModel, split_batch
from hardware.package.model import ArithmeticEnergy, Chiplet, ChipletPackage, NetworkOnPackage, OffChipMemory

DATAFLOWS = ("nvdla", "shi-diannao")


def package(
    rows: int = 2, columns: int = 3, sides: tuple[str, ...] = ("left", "right"), buffer: int = 10**9
) -> ChipletPackage:
    """Links of 10 B/s, 1 s per hop, 1 J per bit and hop; memory 5 B/s, 2 s, 3 J per bit; columns alternate in dataflow."""
    chiplets = tuple(
        Chiplet(r * columns + c, r, c, DATAFLOWS[c % 2], 16, 16.0, 1.0, buffer)
        for r in range(rows)
        for c in range(columns)
    )
    return ChipletPackage(
        slug="hand", title="By hand", rows=rows, columns=columns, chiplets=chiplets,
        network=NetworkOnPackage(10.0, 1.0, 1e12),
        memory=OffChipMemory(5.0, 2.0, 3e12, sides),
        arithmetic=ArithmeticEnergy(1.0, 1.68, 18.61),
        clock_hz=1.0, process_node_nm=28.0, word_bytes=1,
    )  # fmt: skip


def model(
    title: str, seconds: Sequence[Sequence[float]], params: ScheduleParams, *, batch: int = 1, **figures: Any
) -> ModelTables:
    """A model whose layers take `seconds[kind][layer]` and as many joules; 10 bytes of weights and input per layer."""
    times = np.array(seconds, dtype=np.float64)
    layers = times.shape[1]
    prefix = np.concatenate([np.zeros((len(times), 1)), np.cumsum(times, axis=1)], axis=1)
    weights = np.asarray(figures.get("weights", [10.0] * layers))
    inputs = np.asarray(figures.get("inputs", [10.0] * layers))
    return ModelTables(
        title=title, layers=layers, batch=batch, split=split_batch(batch, params.mini_batch, params.latency_reading),
        compute_s=prefix, compute_j=prefix.copy(), weight_bytes=np.concatenate([[0.0], np.cumsum(weights)]),
        input_bytes=inputs, layer_activation_bytes=2 * inputs, output_bytes=float(figures.get("output", 20.0)),
    )  # fmt: skip


def tables(
    models: Mapping[str, Sequence[Sequence[float]]],
    params: Mapping[str, Any] | None = None,
    *,
    on: ChipletPackage | None = None,
    batch: int = 1,
    **figures: Any,
) -> ScenarioTables:
    """Tables of models given as name -> seconds[kind][layer]; kinds are NVDLA and Shi-diannao."""
    chosen = ScheduleParams(**(params or {}))
    where = on or package()
    class_of = np.array([DATAFLOWS.index(c.dataflow) for c in where.chiplets], dtype=np.int64)
    share = np.bincount(class_of, minlength=2) / len(class_of)
    built = tuple(model(title, seconds, chosen, batch=batch, **figures) for title, seconds in models.items())
    return ScenarioTables(PackageModel(where, chosen.dram_rule), built, class_of, share, chosen)
