"""Actions on runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from engines.contract.designs import table_from_bytes
from webapp.items.registry import Item, declare
from webapp.runs.models import DesignChunk, Run, RunInput

MOST_LABELS = 2000


def labels_of(run: Run) -> Iterator[str]:
    """Yield the labels of a run's designs, each once: baselines, proven designs and those that a person scored."""
    seen: set[str] = set()
    if not run.design_count:
        return
    for data in DesignChunk.objects.filter(run=run).values_list("scalars", flat=True).iterator(chunk_size=1):
        table = table_from_bytes(bytes(data))
        if "label" not in table.column_names:
            continue
        new = {str(label) for label in table.column("label").to_pylist() if label} - seen
        yield from sorted(new)
        seen |= new
        if len(seen) > MOST_LABELS:
            return


def _words(runs: Sequence[Run]) -> Mapping[int, Iterable[object]]:
    inputs: dict[int, list[str]] = {}
    for number, slug in RunInput.objects.filter(run__in=[run.pk for run in runs]).values_list("run", "slug"):
        inputs.setdefault(number, []).append(slug)
    return {run.pk: chain(inputs.get(run.pk, ()), labels_of(run)) for run in runs}


declare(
    Item(
        name="run",
        model="runs.Run",
        page="/runs/{}",
        listing="/",
        notes="?tab=notes",
        columns=("title", "engine", "design_count", "status", "outcome", "owner"),
        plural="Runs",
        icon="chart-scatter",
        words=_words,
        remains="If it is queued or running, it stops. Studies and comparisons that show it leave its place empty.",
        companions="All of its designs and results are included.",
        annotatable=True,
        markable=True,
        movable=True,
        shareable=True,
        deletable=True,
        searchable=True,
        logged=(
            *("project", "owner", "title", "parent", "study", "engine", "engine_version", "params", "seed"),
            *("stop_after_minutes", "measure", "priority", "deleted"),
        ),
    )
)
