"""How many bytes a run takes in the database: designs, results, files and checkpoint. Other rows are small and not counted.

The figure stands in the run's own row (`Run.stored_bytes`). Steps add to it as they are stored, and it is counted afresh where an
attempt begins and where it ends, as much of what steps brought is replaced by then.
"""

from __future__ import annotations

from typing import Any

from django.db.models import BigIntegerField, F, Model, OuterRef, Subquery, Sum, TextField
from django.db.models.functions import Cast, Coalesce, Length

from engines.running.runner.protocol import StepFrame
from webapp.runs.models import Checkpoint, DesignChunk, Run, RunFile, RunResult


def bytes_of(run_id: int) -> int:
    """Return the bytes that a run takes now, by the lengths of what is stored."""
    sizes = (
        _total(DesignChunk, Length("scalars") + Length("decisions")),
        _total(RunResult, Length(Cast("content", TextField()))),
        _total(Checkpoint, Length("data")),
        _total(RunFile, F("blob__size")),
    )
    of_run = Run.objects.filter(pk=run_id).order_by()
    return sum(of_run.values_list(*(Coalesce(size, 0) for size in sizes)).first() or ())


def bytes_in(frame: StepFrame) -> int:
    """Return the bytes that a step brings; of its files only the names are in it."""
    chunks = sum(len(chunk.scalars) + len(chunk.decisions) for chunk in frame.designs)
    return chunks + sum(len(entry.content) for entry in frame.results)


def count_again(run_id: int) -> None:
    """Bring the run's row up to date."""
    Run.objects.filter(pk=run_id).update(stored_bytes=bytes_of(run_id))


def _total(part: type[Model], size: Any) -> Subquery:
    """Sum over the rows of one table that belong to the run of the outer query."""
    rows = part._default_manager.filter(run=OuterRef("pk")).order_by().values("run")
    return Subquery(rows.annotate(total=Sum(size)).values("total"), output_field=BigIntegerField())
