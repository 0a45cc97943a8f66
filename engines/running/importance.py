"""The importance of decisions, asked of a child process with limits: fitting a forest is no work for a web server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.decision_columns import decided_cells, decision_columns
from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits
from engines.search.importance import LEAST_DESIGNS, Importance, importance_of

MOST_DESIGNS = 5000
IMPORTANCE_LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=60, time_s=90.0)


def importance_in_child(engine: str, decisions: Sequence[str], values: FloatArray) -> Importance:
    """Return the importance of what these designs decide for a figure.

    Args:
        engine: whose decisions they are.
        decisions: as JSON texts, at most `MOST_DESIGNS`.
        values: the figure, finite, shape of `decisions`.

    Raises:
        BusyError: other questions are being answered.
        ProblemError: there are too few designs, or the child took more than its limits.
    """
    asked = f'{{"values":{json.dumps(values.tolist())},"decisions":[{",".join(decisions)}]}}'
    name = "the decisions of these designs"
    found = read_in_child("importance", asked.encode(), name, {"engine": engine}, IMPORTANCE_LIMITS).content
    numbers = {key: np.array(found[key], np.float64) for key in ("fall", "spread")}
    return Importance(tuple(found["titles"]), **numbers, explained=found["explained"], designs=found["designs"])


def read_importance(data: bytes, _name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the importance that `importance_in_child` requested, in the child."""
    asked = json.loads(data)
    declared, decisions = get_engine(options["engine"]).decision_columns, asked["decisions"]
    if not LEAST_DESIGNS <= len(decisions) <= MOST_DESIGNS:
        raise ProblemError("designs", len(decisions), f"{LEAST_DESIGNS} to {MOST_DESIGNS} designs with a value")
    columns = decision_columns(declared, decisions)
    rows = [decided_cells(declared, decision) for decision in decisions]
    cells = [[row.get(column.name) for row in rows] for column in columns]
    values = np.array(asked["values"], np.float64)
    if not any(column.varies for column in columns) or np.ptp(values) == 0:
        raise ProblemError(
            "designs", "designs that do not differ", "designs that differ in their decisions and in the metric"
        )
    found = importance_of(columns, cells, values)
    told = {"titles": list(found.titles), "fall": found.fall.tolist(), "spread": found.spread.tolist()}
    return ReadDocument({**told, "explained": found.explained, "designs": found.designs})
