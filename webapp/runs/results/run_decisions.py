"""Decisions of all designs of a run: of a few read here, of many read by the limited child."""

from __future__ import annotations

import json
from collections.abc import Mapping

from engines.contract.decision_values import DecidedValues, values_by_name
from engines.contract.errors import EngineError
from engines.registry import get_engine
from engines.running.decision_reader import decided_in_child
from webapp.runs.models import DesignChunk, Run
from webapp.runs.results.readers import decisions_after

# So many are told in some tens of milliseconds, sooner than a child begins.
MOST_HERE = 1000


def decided_after(run: Run, after: int) -> Mapping[str, DecidedValues]:
    """Return name of a column -> its values over the designs of the run from number `after` on.

    Raises:
        BusyError: the child is answering other questions.
        ProblemError: it took more than its limits.
    """
    try:
        engine = get_engine(run.engine)
    except EngineError:
        return {}
    if run.design_count - after <= MOST_HERE:
        return values_by_name(engine.decision_columns, [json.loads(text) for text in decisions_after(run.pk, after)])
    rows = DesignChunk.objects.filter(run=run.pk, number__gt=after).order_by("number")
    found = list(rows.values_list("first_index", "decisions"))
    if not found:
        return {}
    return decided_in_child(run.engine, [bytes(data) for _, data in found], max(0, after - found[0][0]))
