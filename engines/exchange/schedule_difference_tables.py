"""The differences of two schedules as results: for pages, and to save as CSV."""

from __future__ import annotations

import numpy as np

from engines.contract.results import Result, Table, TableColumn
from engines.exchange.schedule_differences import LaneChange, Move, ScheduleDifferences, TimeChange
from hardware.package.summary import DATAFLOW_TITLES


def difference_tables(differences: ScheduleDifferences) -> tuple[Result, ...]:
    """Return the differences as tables, layers counted from 1."""
    moves, times, lanes = differences.moves, differences.times, differences.lanes
    return (
        Table("moves", "Moved layers", (
            TableColumn("Model", tuple(move.model for move in moves)),
            TableColumn("Layers", tuple(layer_words(move) for move in moves)),
            TableColumn("In A on", tuple(move.before or "–" for move in moves)),
            TableColumn("In B on", tuple(move.after or "–" for move in moves)),
        )),
        Table("times", "Changed durations", (
            TableColumn("Model", tuple(change.model for change in times)),
            TableColumn("Layers", tuple(layer_words(change) for change in times)),
            TableColumn("In A", np.array([change.before_s for change in times]), "s"),
            TableColumn("In B", np.array([change.after_s for change in times]), "s"),
            TableColumn("B − A", np.array([change.difference_s for change in times]), "s"),
            TableColumn("of it compute", np.array([c.after_compute_s - c.before_compute_s for c in times]), "s"),
        )),
        Table("lanes", "How long lanes are busy", (
            TableColumn("Lane", tuple(lane_words(lane) for lane in lanes)),
            TableColumn("In A", np.array([lane.before_s for lane in lanes]), "s"),
            TableColumn("In B", np.array([lane.after_s for lane in lanes]), "s"),
            TableColumn("B − A", np.array([lane.after_s - lane.before_s for lane in lanes]), "s"),
        )),
    )  # fmt: skip


def lane_words(lane: LaneChange) -> str:
    """Return a lane, and how it differs where it is of another kind in either design (a chiplet's dataflow) or one lacks it."""
    before, after = (DATAFLOW_TITLES.get(kind, kind) for kind in (lane.before_kind, lane.after_kind))
    if before == after:
        return lane.title
    if before and after:
        return f"{lane.title} ({before} in A, {after} in B)"
    return f"{lane.title} (in {'A' if before else 'B'} alone)"


def layer_words(row: Move | TimeChange) -> str:
    """Return the layers of a row, counted from 1, or the words of a part without layers."""
    if row.words:
        return row.words
    return str(row.first + 1) if row.first == row.last else f"{row.first + 1}–{row.last + 1}"
