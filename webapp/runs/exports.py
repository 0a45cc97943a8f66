"""Files to take away: designs as CSV, Parquet, Arrow and JSON, a schedule as Chrome trace, the problem as JSON and YAML.

Designs are read one stored chunk at a time (at most 4 MB), so that an export of any size needs little memory.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from engines.contract.designs import Designs, table_from_bytes
from engines.contract.errors import EngineError
from engines.contract.quantities import Quantity
from engines.contract.results import Note, Result, Schedule
from engines.exchange.csv_cells import as_text, as_texts
from engines.exchange.export import chrome_trace
from engines.registry import get_engine
from hardware.documents import dump_yaml
from webapp.runs.models import DesignChunk, Run
from webapp.runs.service import start_from

MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.file",
    "json": "application/json",
    "yaml": "application/yaml",
    "bibtex": "application/x-bibtex; charset=utf-8",
}
INDEX = "design"
DECISION = "decision"
# Rows that are text at a time: decisions of four megabytes as stored are a hundred as text.
TEXT_ROWS = 1_000


def filename(run: Run, what: str) -> str:
    """Return the name of a downloaded file: "run-12-designs.csv"."""
    return f"run-{run.pk}-{what}"


def quantities_of(run: Run) -> tuple[Quantity, ...]:
    """Return the metrics of the run's engine; empty if the engine or a package that it needs is not installed."""
    try:
        return tuple(get_engine(run.engine).quantities)
    except (EngineError, ImportError):
        return ()


# -- designs ----------------------------------------------------------------------------------------------------------


def design_tables(run: Run, first: int = 0, end: int | None = None, decisions: bool = False) -> Iterator[pa.Table]:
    """Yield the designs from number `first` up to but not including `end`, one table per stored chunk.

    Each table has the columns `design` (its number), the engine's quantities, `found_at_evaluation`, `origin`, `label` and, with
    `decisions`, `decision` (JSON text; left unread otherwise). One schema for all, also for a run without designs.
    """
    schema = _schema(run, decisions)
    for position, chunk in _chunks(run, first, end, decisions):
        table = _chunk_table(chunk, decisions)
        offset = max(0, position - chunk.first_index)
        length = None if end is None else max(0, end - chunk.first_index - offset)
        yield _conform(table.slice(offset, length), schema)


def design_schema(run: Run, decisions: bool = False) -> pa.Schema:
    """Return the columns of `design_tables`; units stand in each field's metadata under "unit"."""
    return _schema(run, decisions)


def csv_stream(run: Run, decisions: bool = False) -> Iterator[bytes]:
    """Yield all designs as CSV. The head gives each column's unit in brackets; what is not defined is an empty cell."""
    schema = _schema(run, decisions)
    units = {field.name: _unit(field) for field in schema}
    yield _csv_head([f"{name} [{unit}]" if unit else name for name, unit in units.items()])
    options = pa_csv.WriteOptions(include_header=False)
    for table in _portions(design_tables(run, decisions=decisions)):
        sink = io.BytesIO()
        pa_csv.write_csv(as_texts(_without_nan(table)), sink, options)
        yield sink.getvalue()


def parquet_stream(run: Run, decisions: bool = False) -> Iterator[bytes]:
    """Yield all designs as a Parquet file with one row group per stored chunk."""
    schema, sink = _schema(run, decisions), _Drain()
    writer = pq.ParquetWriter(sink, schema, compression="zstd")
    for table in design_tables(run, decisions=decisions):
        writer.write_table(table)
        yield sink.drain()
    writer.close()
    yield sink.drain()


def arrow_stream(run: Run, decisions: bool = False) -> Iterator[bytes]:
    """Yield all designs as an Arrow IPC file (Feather version 2) with one record batch per stored chunk."""
    schema, sink = _schema(run, decisions), _Drain()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(sink, schema, options=options) as writer:
        for table in design_tables(run, decisions=decisions):
            writer.write_table(table)
            yield sink.drain()
    yield sink.drain()


def json_stream(run: Run, decisions: bool = False) -> Iterator[bytes]:
    """Yield all designs as one JSON document: what the columns mean, then one object per design; what is not defined is null."""
    schema = _schema(run, decisions)
    columns = [
        {"name": field.name} | {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
        for field in schema
    ]
    about: dict[str, Any] = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    yield json.dumps({**about, "columns": columns}, ensure_ascii=False)[:-1].encode() + b', "designs": ['
    first = True
    for table in _portions(design_tables(run, decisions=decisions)):
        lines = ",\n".join(_json_lines(table))
        if lines:
            yield (b"\n" if first else b",\n") + lines.encode()
            first = False
    yield b"\n]}\n"


def _portions(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the tables in portions of `TEXT_ROWS`."""
    for table in tables:
        for start in range(0, table.num_rows, TEXT_ROWS):
            yield table.slice(start, TEXT_ROWS)


def _json_lines(table: pa.Table) -> Iterator[str]:
    """Return one object per row. Decisions are stored as JSON and stay as they are: reading them takes fifteen times as long."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    stored = table[DECISION].to_pylist() if DECISION in table.column_names else None
    rows = _finite_or_none(table.drop_columns([DECISION]) if stored is not None else table).to_pylist()
    if stored is None:
        return map(encode, rows)
    return (f'{encode(row)[:-1]},"{DECISION}":{text}}}' for row, text in zip(rows, stored, strict=True))


class _Drain(io.RawIOBase):
    """A file that only grows; what was written is taken out piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._position += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._position

    def drain(self) -> bytes:
        """Return everything written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _chunks(run: Run, first: int, end: int | None, decisions: bool) -> Iterator[tuple[int, DesignChunk]]:
    """Yield the chunks that overlap the range, each with the number of the first design wanted from it.

    One query each: nothing is held while the client is slow. Small chunks may be merged between two of them, so that the next
    one also holds designs that were read before.
    """
    position = first
    while end is None or position < end:
        # A chunk's number is the number of designs stored up to and including it.
        found = DesignChunk.objects.filter(run_id=run.pk, number__gt=position).order_by("number")
        chunk = (found if decisions else found.defer("decisions")).first()
        if chunk is None or (end is not None and chunk.first_index >= end):
            return
        yield max(position, chunk.first_index), chunk
        position = chunk.number


def _chunk_table(chunk: DesignChunk, decisions: bool) -> pa.Table:
    table = table_from_bytes(bytes(chunk.scalars))
    numbers = pa.array(np.arange(chunk.first_index, chunk.first_index + chunk.count))
    table = table.add_column(0, INDEX, numbers)
    if decisions:
        table = table.append_column(DECISION, table_from_bytes(bytes(chunk.decisions))[DECISION])
    return table


def _schema(run: Run, decisions: bool) -> pa.Schema:
    quantities = quantities_of(run)
    first = DesignChunk.objects.filter(run_id=run.pk).order_by("number").defer("decisions").first()
    scalars = (
        table_from_bytes(bytes(first.scalars)).schema if first else Designs.empty(quantities).scalars_table().schema
    )
    units = {quantity.name: quantity for quantity in quantities}
    fields = [pa.field(INDEX, pa.int64())]
    for field in scalars:
        # Dictionaries differ from chunk to chunk, which a file cannot say.
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        quantity = units.get(field.name)
        facts = {"unit": quantity.unit, "sense": quantity.sense, "title": quantity.title} if quantity else None
        fields.append(pa.field(field.name, kind, metadata=facts))
    if decisions:
        fields.append(pa.field(DECISION, pa.string()))
    about = {
        "run": str(run.pk),
        "engine": run.engine,
        "engine_version": str(run.engine_version),
        "problem": run.problem_hash,
    }
    return pa.schema(fields, metadata=about)


def _conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    columns = [table[field.name].cast(field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _without_nan(table: pa.Table) -> pa.Table:
    columns = [
        pa.array(column.to_numpy(), from_pandas=True) if pa.types.is_floating(column.type) else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, names=table.column_names)


def _finite_or_none(table: pa.Table) -> pa.Table:
    """Replace NaN and infinity, which JSON lacks."""
    columns = [
        pa.array(column.to_numpy(), mask=~np.isfinite(column.to_numpy()))
        if pa.types.is_floating(column.type)
        else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, names=table.column_names)


def _unit(field: pa.Field) -> str:
    return cast(str, (field.metadata or {}).get(b"unit", b"").decode())


def _csv_head(names: Iterable[str]) -> bytes:
    quoted = ('"' + str(as_text(name)).replace('"', '""') + '"' for name in names)
    return (",".join(quoted) + "\n").encode()


# -- schedule, documents and problem ---------------------------------------------------------------------------------------------


def schedule_trace(run: Run, results: Iterable[Result], design: int) -> dict[str, Any] | None:
    """Return the first schedule among a design's results as Chrome trace (opens in Perfetto); None if there is none."""
    schedule = next((result for result in results if isinstance(result, Schedule)), None)
    if schedule is None:
        return None
    hardware = next((item.slug for item in run.inputs.all() if item.kind == "hardware"), "")
    about = {
        "run": run.pk,
        "design": design,
        "engine": f"{run.engine} {run.engine_version}",
        "problem": run.problem_hash,
    }
    return chrome_trace(schedule, hardware, about)


def documents(results: Iterable[Result]) -> dict[str, str]:
    """Return file name -> text of the documents among a design's results."""
    return {result.name: result.text for result in results if isinstance(result, Note) and result.role == "document"}


def problem_document(run: Run) -> dict[str, Any]:
    """Return the problem as the command line, the interface and a notebook take it."""
    return start_from(run)


def problem_json(run: Run) -> str:
    """Return the problem document as JSON text."""
    return json.dumps(problem_document(run), indent=2, ensure_ascii=False) + "\n"


def problem_yaml(run: Run) -> str:
    """Return the problem document as YAML text."""
    return dump_yaml(problem_document(run), sort_keys=False, allow_unicode=True)
