"""How many bytes a run takes in the database: designs, results, files and checkpoint. Other rows are small and not counted.

The figure stands in the run's own row (`Run.stored_bytes`). Steps add to it as they are stored, and it is counted afresh where an
attempt begins and where it ends, as much of what steps brought is replaced by then.
"""

from __future__ import annotations

from django.db.models import F, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Length

from engines.running.runner.protocol import StepFrame
from webapp.runs.models import Checkpoint, DesignChunk, Run, RunFile, RunResult


def bytes_of(run_id: int) -> int:
    """Bytes that a run takes now, by the lengths of what is stored."""
    of_run = {"run_id": run_id}
    return sum(
        (
            _total(DesignChunk.objects.filter(**of_run).annotate(size=Length("scalars") + Length("decisions"))),
            _total(RunResult.objects.filter(**of_run).annotate(size=Length(Cast("content", TextField())))),
            _total(Checkpoint.objects.filter(**of_run).annotate(size=Length("data"))),
            _total(RunFile.objects.filter(**of_run).annotate(size=F("blob__size"))),
        )
    )


def bytes_in(frame: StepFrame) -> int:
    """Bytes that a step brings; of its files only the names are in it."""
    chunks = sum(len(chunk.scalars) + len(chunk.decisions) for chunk in frame.designs)
    return chunks + sum(len(entry.content) for entry in frame.results)


def count_again(run_id: int) -> None:
    """Bring the run's row up to date."""
    Run.objects.filter(pk=run_id).update(stored_bytes=bytes_of(run_id))


def _total(rows: QuerySet) -> int:  # type: ignore[type-arg]  # of any of the four
    return int(rows.order_by().aggregate(total=Sum("size"))["total"] or 0)
