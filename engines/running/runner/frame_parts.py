"""Designs, results and files as parts of frames, and back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from engines.contract.designs import Designs, table_from_bytes, table_to_bytes
from engines.contract.encoding.result_json import result_to_bytes
from engines.contract.engine import Document, File, Problem, Step
from engines.contract.results import Result
from engines.documents.problems import kept_problem
from engines.running.runner.protocol import (
    MAX_PART_BYTES,
    DesignChunk,
    FileEntry,
    FilePart,
    ResultEntry,
    Start,
    StepFrame,
)


def pack_designs(designs: Designs) -> tuple[DesignChunk, ...]:
    """Return the chunks whose tables are at most `MAX_PART_BYTES` each; halves until they fit. Nothing for no designs."""
    return pack_tables(designs.scalars_table(), designs.decisions_table()) if len(designs) else ()


def pack_tables(scalars: pa.Table, decisions: pa.Table) -> tuple[DesignChunk, ...]:
    """Return `pack_designs` of designs whose tables are there; no decision is decoded."""
    count = scalars.num_rows
    packed = table_to_bytes(scalars), table_to_bytes(decisions)
    if max(map(len, packed)) <= MAX_PART_BYTES or count == 1:
        return (DesignChunk(count, *packed),)
    half = count // 2
    return pack_tables(scalars[:half], decisions[:half]) + pack_tables(scalars[half:], decisions[half:])


def unpack_designs(chunks: Sequence[DesignChunk]) -> Designs | None:
    """Return the designs of `chunks` in order; None for no chunks."""
    if not chunks:
        return None
    return Designs.concatenate(
        [Designs.from_tables(table_from_bytes(chunk.scalars), table_from_bytes(chunk.decisions)) for chunk in chunks]
    )


def pack_results(results: Sequence[Result]) -> tuple[ResultEntry, ...]:
    """Return the results as JSON bytes."""
    return tuple(ResultEntry(result.name, type(result).__name__, result_to_bytes(result)) for result in results)


def file_parts(data: bytes) -> Iterator[FilePart]:
    """Yield `data` in parts of at most `MAX_PART_BYTES`; an empty file is one empty part."""
    sha256 = hashlib.sha256(data).hexdigest()
    parts = max(1, -(-len(data) // MAX_PART_BYTES))
    for part in range(parts):
        piece = data[part * MAX_PART_BYTES : (part + 1) * MAX_PART_BYTES]
        yield FilePart(sha256=sha256, size=len(data), part=part, parts=parts, data=piece)


def file_entry(file: File) -> FileEntry:
    """Return the entry of a step for a file whose parts were sent before."""
    return FileEntry(file.name, file.media_type, hashlib.sha256(file.data).hexdigest(), len(file.data))


def pack_step(step: Step, number: int) -> StepFrame:
    """Return a step without the content of its files."""
    return StepFrame(
        number=number,
        fraction=float(step.fraction),
        message=step.message,
        metrics={name: float(value) for name, value in step.metrics.items()},
        designs=() if step.designs is None else pack_designs(step.designs),
        results=pack_results(step.results),
        files=tuple(file_entry(file) for file in step.files),
        checkpoint=step.checkpoint,
        infeasible=step.infeasible,
    )


def pack_problem(problem: Problem, engine_path: str, **fields: Any) -> Start:
    """Return the start frame of `problem`; `fields` are the remaining ones of `Start`."""
    inputs = {
        slot: {"kind": doc.kind, "slug": doc.slug, "version": doc.version, "content": dict(doc.content)}
        for slot, doc in problem.inputs.items()
    }
    return Start(
        engine=problem.engine,
        engine_path=engine_path,
        version=problem.version,
        inputs=inputs,
        params=problem.params_json(),
        seed=problem.seed,
        **fields,
    )


def unpack_problem(start: Start) -> Problem:
    """Return the problem of a start frame, validated again.

    Raises:
        ProblemError: also if the installed engine has another version than the problem was pinned to.
    """
    inputs = {slot: Document(**document) for slot, document in start.inputs.items()}
    return kept_problem(start.engine, inputs, start.params, start.seed, start.version, engine_path=start.engine_path)
