"""Exports chunk by chunk: same values whatever the chunks, and never the whole run in memory."""

from __future__ import annotations

import json
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest

from engines.contract.designs import Designs, table_to_bytes
from tests.support.stored_runs import People, finished_run, make_people
from tests.support.toy_engine import QUANTITIES
from webapp.runs import exports
from webapp.runs.models import DesignChunk, Run
from webapp.runs.results import readers
from webapp.runs.storage.design_chunks import merge_small_chunks

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def people(db: None) -> People:
    return make_people()


def _append(run: Run, first: int, count: int) -> None:
    values = np.arange(first, first + count, dtype=float)
    designs = Designs(
        {quantity.name: values for quantity in QUANTITIES},
        [{"x": [0.0, 0.0, 0.0]}] * count,
        np.arange(count),
        ["search"] * count,
    )
    DesignChunk.objects.create(
        run=run,
        number=first + count,
        first_index=first,
        count=count,
        step_number=1,
        scalars=table_to_bytes(designs.scalars_table()),
        decisions=table_to_bytes(designs.decisions_table()),
    )


@pytest.mark.parametrize(("first", "end"), [(0, None), (0, 4), (2, 9), (4, 8), (7, 7), (11, 40), (40, 50)])
def test_it_cuts_ranges_out_of_chunks(people: People, first: int, end: int | None) -> None:
    run = finished_run(people, steps=3, designs_per_step=4)
    tables = list(exports.design_tables(run, first, end))
    numbers = [number for table in tables for number in table[exports.INDEX].to_pylist()]
    assert numbers == list(range(12))[first:end]
    assert all(table.schema == exports.design_schema(run) for table in tables)


def test_it_repeats_nothing_when_chunks_are_merged_meanwhile(people: People) -> None:
    run = finished_run(people, steps=3, designs_per_step=4)
    tables = exports.design_tables(run)
    numbers = next(tables)[exports.INDEX].to_pylist()
    merge_small_chunks(run.pk)
    numbers += [number for table in tables for number in table[exports.INDEX].to_pylist()]
    assert numbers == list(range(12))


def test_it_reads_no_decisions_unless_asked(people: People) -> None:
    run = finished_run(people, steps=2)
    DesignChunk.objects.update(decisions=b"not a table")
    assert sum(table.num_rows for table in exports.design_tables(run)) == 8
    with pytest.raises(pa.ArrowInvalid):
        list(exports.design_tables(run, decisions=True))


@pytest.mark.parametrize("stream", [exports.csv_stream, exports.parquet_stream, exports.arrow_stream])
def test_it_holds_one_chunk_at_a_time(people: People, stream: object) -> None:
    run = finished_run(people, steps=1, designs_per_step=1)
    count = 20_000
    for number in range(10):
        _append(run, 1 + number * count, count)
    assert callable(stream)
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    held = [pa.total_allocated_bytes() - before for _ in stream(run)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # All designs are 11 MB as numbers and 15 MB as text; a chunk is a tenth of that, and there may be a few copies of one.
    assert len(held) >= 11
    assert max(held) < 4_000_000 and peak < 8_000_000


def test_decisions_are_objects_of_the_json_as_they_were_stored(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    run = finished_run(people, steps=3, designs_per_step=4)
    monkeypatch.setattr(exports, "TEXT_ROWS", 3)  # a chunk is two portions
    rows = json.loads(b"".join(exports.json_stream(run, decisions=True)))["designs"]
    assert [row["design"] for row in rows] == list(range(12))
    assert [row["decision"] for row in rows] == [json.loads(text) for text in readers.load_decisions(run.pk)]


def test_it_exports_a_run_whose_engine_is_gone(people: People) -> None:
    run = finished_run(people, steps=1)
    Run.objects.filter(pk=run.pk).update(engine="gone")
    run.refresh_from_db()
    lines = b"".join(exports.csv_stream(run)).decode().splitlines()
    assert (
        lines[0] == '"design","latency_s","energy_j","spread","found_at_evaluation","origin","label"'
        and len(lines) == 5
    )


def test_it_exports_a_run_without_designs(people: People) -> None:
    run = Run.objects.create(project=people.project, owner=people.owner, title="Empty", engine="toy", engine_version=1)
    assert len(b"".join(exports.csv_stream(run)).splitlines()) == 1
    assert pa.ipc.open_file(b"".join(exports.arrow_stream(run))).read_all().num_rows == 0


def test_it_finds_no_schedule_where_there_is_none(people: People) -> None:
    run = finished_run(people, steps=1)
    results = [result for result in readers.explain_design(run, 0) if type(result).__name__ != "Schedule"]
    assert exports.schedule_trace(run, results, 0) is None
    assert exports.filename(run, "designs.csv") == f"run-{run.pk}-designs.csv"
