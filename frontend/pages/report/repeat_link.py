"""The way from a run to the same with the reader's own network."""

from __future__ import annotations

from urllib.parse import urlencode

from frontend.designs.run_words import engine_of
from webapp.runs.models import Run


def repeat_path(run: Run) -> str:
    """Return the path of a new run with everything of the run filled in but its network.

    "" where it takes none, or cannot be run.
    """
    engine = engine_of(run.engine)
    slots = [] if engine is None else [slot for slot, kind in engine.inputs.items() if kind.kind == "workload"]
    return f"/new?{urlencode({'from': run.pk, 'choose': slots[0]})}" if slots else ""
