"""The designs of a run as they are stored: in chunks, of which many small ones become few large ones."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models.functions import Length

from engines.contract.designs import Designs, joined_tables, table_from_bytes
from engines.running.runner.frame_parts import pack_tables
from engines.running.runner.protocol import DesignChunk as ChunkFrame
from webapp.runs.models import DesignChunk

SMALL_CHUNK_BYTES = 200_000


def chunk_row(run_id: int, step: int, first: int, chunk: ChunkFrame) -> DesignChunk:
    """Return the row of a chunk whose designs count from `first` on; not yet stored."""
    return DesignChunk(
        run_id=run_id, number=first + chunk.count, first_index=first, count=chunk.count, step_number=step,
        scalars=chunk.scalars, decisions=chunk.decisions,
    )  # fmt: skip


def stored_designs(run_id: int) -> Designs | None:
    """Return all designs of a run with their decisions, None if there are none."""
    rows = DesignChunk.objects.filter(run_id=run_id).order_by("number").values_list("scalars", "decisions")
    parts = [Designs.from_tables(table_from_bytes(bytes(a)), table_from_bytes(bytes(b))) for a, b in rows]
    return Designs.concatenate(parts) if parts else None


def small_chunks(run_id: int) -> int:
    """Return the number of chunks that `merge_small_chunks` would put together."""
    chunks = DesignChunk.objects.filter(run_id=run_id).annotate(size=Length("decisions"))
    return chunks.filter(size__lt=SMALL_CHUNK_BYTES).count()


def merge_small_chunks(run_id: int) -> None:
    """Put neighbouring small chunks together, so that a run of many short steps reads as fast as one of few long ones.

    The numbering allows it: a chunk's number is the count of designs up to its end. Call it only where every chunk's step
    is at or before the last checkpoint, or the run is done.
    """
    group: list[int] = []
    size = 0
    chunks = DesignChunk.objects.filter(run_id=run_id).order_by("number")
    for key, length in [*chunks.values_list("pk", Length("decisions")), (0, SMALL_CHUNK_BYTES)]:
        if length < SMALL_CHUNK_BYTES:
            group.append(key)
            size += length
        if length >= SMALL_CHUNK_BYTES or size >= SMALL_CHUNK_BYTES:
            _merge(run_id, group)
            group, size = [], 0


def _merge(run_id: int, keys: Sequence[int]) -> None:
    if len(keys) < 2:
        return
    group = list(DesignChunk.objects.filter(pk__in=keys).order_by("number"))
    scalars = joined_tables([table_from_bytes(bytes(chunk.scalars)) for chunk in group])
    decisions = joined_tables([table_from_bytes(bytes(chunk.decisions)) for chunk in group])
    DesignChunk.objects.filter(pk__in=keys).delete()
    first, rows = group[0].first_index, []
    for packed in pack_tables(scalars, decisions):
        rows.append(chunk_row(run_id, group[-1].step_number, first, packed))
        first += packed.count
    DesignChunk.objects.bulk_create(rows)
