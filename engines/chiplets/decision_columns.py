"""Decisions of a schedule on a chiplet package, as columns of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.decision_columns import DecisionColumn


def _placements(decision: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, window in enumerate(decision["windows"], start=1):
        for placed in window["models"]:
            yield number, placed


def _paths(decision: Mapping[str, Any]) -> list[str]:
    """Return per window and model the chiplets of its segments: "W1 B: C3 → C2"."""
    return [
        f"W{number} {chr(ord('A') + placed['model'] % 26)}: {' → '.join(f'C{chiplet}' for chiplet in placed['path'])}"
        for number, placed in _placements(decision)
    ]


def _cuts(decision: Mapping[str, Any]) -> list[str]:
    """Return per window and model the last layers of its segments, from 1 on: "W1 B: 12, 30"."""
    return [
        f"W{number} {chr(ord('A') + placed['model'] % 26)}: {', '.join(map(str, placed['cuts']))}"
        for number, placed in _placements(decision)
    ]


def _segments(decision: Mapping[str, Any]) -> int:
    return sum(len(placed["path"]) for _, placed in _placements(decision))


def _chiplets(decision: Mapping[str, Any]) -> int:
    return len({chiplet for _, placed in _placements(decision) for chiplet in placed["path"]})


SCHEDULE_COLUMNS = (
    DecisionColumn(
        "chiplets_used", "Chiplets used", help="Number of chiplets that run at least one segment.", read=_chiplets
    ),
    DecisionColumn("segments", "Segments", help="Number of segments in all time windows.", read=_segments),
    DecisionColumn(
        "windows", "Windows", help="Number of time windows in the schedule.", read=lambda d: len(d["windows"])
    ),
    DecisionColumn(
        "paths",
        "Chiplets of each model",
        help="Per window (W1) and model, A being the first of the workload.",
        read=_paths,
    ),
    DecisionColumn("cuts", "Last layers of segments", help="Per window (W1) and model, counted from 1.", read=_cuts),
    DecisionColumn(
        "layout", "Package", help="All chiplets of one dataflow, where a baseline is a variant of the package."
    ),
)
