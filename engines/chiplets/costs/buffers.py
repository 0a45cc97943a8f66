"""Buffer needs of the segments of a schedule; the method assumes that they fit (odema-2024 section 4.3.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.decision import PackageSchedule, Placement
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.results import Table, TableColumn

_BYTES_PER_MB = 1e6


@dataclass(frozen=True)
class BufferNeed:
    """The buffer demand of one segment: its weights, the input and output of its largest layer, and the buffer of its chiplet."""

    first: int
    end: int
    chiplet: int
    weight_bytes: float
    activation_bytes: float
    buffer_bytes: float

    @property
    def excess_bytes(self) -> float:
        """By how much the need exceeds the buffer; 0 where it fits."""
        return max(0.0, self.weight_bytes + self.activation_bytes - self.buffer_bytes)


def buffer_needs(tables: ScenarioTables, placement: Placement) -> Iterator[BufferNeed]:
    """Yield the needs of all segments of a placement."""
    model, chiplets = tables.models[placement.model], tables.package_model.package.chiplets
    for first, end, chiplet in placement.segments:
        weights = float(model.segment_weight_bytes(first, end))
        activations = float(model.layer_activation_bytes[first:end].max()) * model.split.samples
        yield BufferNeed(first, end, chiplet, weights, activations, float(chiplets[chiplet].buffer_bytes))


def segment_table(tables: ScenarioTables, schedule: PackageSchedule) -> Table:
    """Return every segment with its need, and whether it fits."""
    rows = [
        (str(w), tables.models[placement.model].title, need)
        for w, window in enumerate(schedule.windows, 1)
        for placement in window
        for need in buffer_needs(tables, placement)
    ]
    needs = [need for _, _, need in rows]
    return Table(
        name="segments",
        title="Segments and buffers",
        table_columns=(
            TableColumn("Window", tuple(window for window, _, _ in rows)),
            TableColumn("Model", tuple(model for _, model, _ in rows)),
            TableColumn("Chiplet", tuple(f"C{need.chiplet}" for need in needs)),
            TableColumn("First layer", np.array([float(need.first) for need in needs])),
            TableColumn("Last layer", np.array([float(need.end - 1) for need in needs])),
            TableColumn("Weights", np.array([need.weight_bytes for need in needs]) / _BYTES_PER_MB, "MB"),
            TableColumn("Activations", np.array([need.activation_bytes for need in needs]) / _BYTES_PER_MB, "MB"),
            TableColumn("Buffer", np.array([need.buffer_bytes for need in needs]) / _BYTES_PER_MB, "MB"),
            TableColumn("Exceeds by", np.array([need.excess_bytes for need in needs]) / _BYTES_PER_MB, "MB"),
            TableColumn("Fits", tuple("no" if need.excess_bytes else "yes" for need in needs)),
        ),
    )


def buffer_words(tables: ScenarioTables, schedule: PackageSchedule) -> str:
    """Return a sentence on the segments that exceed the chiplet buffer; "" if all fit."""
    needs = [need for window in schedule.windows for placement in window for need in buffer_needs(tables, placement)]
    excess = [need.excess_bytes for need in needs if need.excess_bytes]
    if not excess:
        return ""
    text = f"{len(excess)} of {len(needs)} segments do not fit their chiplet's buffer, the largest by "
    text += f"{max(excess) / _BYTES_PER_MB:.1f} MB (table Segments and buffers)."
    if tables.params.weight_loading == "once_per_window":
        text += " The method assumes that segments fit; the time and energy of loading weights again are not in these figures."
    return text
