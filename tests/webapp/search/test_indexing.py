"""What is stored for the search."""

from __future__ import annotations

import pyarrow as pa

from engines.contract.designs import table_from_bytes, table_to_bytes
from tests.support.stored_runs import People, finished_run
from tests.webapp.search.cases import numbers
from webapp.runs.items import labels_of
from webapp.runs.models import DesignChunk, Run
from webapp.runs.signals import run_done


def test_labels_of_designs_are_found_once_the_run_is_done(people: People) -> None:
    run = finished_run(people)
    chunk = DesignChunk.objects.filter(run=run)[0]
    table = table_from_bytes(bytes(chunk.scalars))
    labels = pa.array(["", *["Standalone NVDLA"] * (table.num_rows - 1)])
    named = table.set_column(table.column_names.index("label"), "label", labels)
    DesignChunk.objects.filter(pk=chunk.pk).update(scalars=table_to_bytes(named))
    Run.objects.filter(pk=run.pk).update(design_count=table.num_rows)
    run.refresh_from_db()
    assert list(labels_of(run)) == ["Standalone NVDLA"] and numbers(people.owner, "standalone") == []
    run_done.send(sender=Run, run_id=run.pk)
    assert numbers(people.owner, "standalone nvd") == [run.pk]
