"""The export of a run as one file that another installation can import (format: `engines.exchange.bundle`)."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.utils import timezone

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.exchange.bundle import MANIFEST, MAX_BUNDLE_BYTES, SCHEMA
from webapp.runs.bundles.bundle_parts import PARTS
from webapp.runs.errors import RunStateError
from webapp.runs.models import DesignChunk, LogLine, Run, RunResult, StepRecord
from webapp.runs.storage.files import list_files, read_content
from webapp.runs.storage.json_values import finite

MEDIA_TYPE = "application/zip"
_IN_MEMORY_BYTES = 16_000_000
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that zip files know: equal runs give equal members
_ENDED = (Run.Status.DONE, Run.Status.STOPPED, Run.Status.FAILED)
_README = """A run of Paretoscope: {title}

Open it with: manage.py import-run FILE, or the page "Import a run", or POST /api/v1/runs/import/.
bundle.json says what stands here, with sizes and SHA-256. Designs are Arrow IPC streams (pyarrow.ipc.open_stream): one of
scalar columns and one of decisions per part, in order. Documents, results, steps, log and what devices measured
of designs are JSON.
"""


class _Writer:
    """A zip file under construction that remembers what its manifest must say."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED)
        self.members: dict[str, dict[str, Any]] = {}

    def add(self, name: str, data: bytes, *, packed: bool = False) -> str:
        """Add a member; `packed` says that compressing it again gains nothing."""
        info = zipfile.ZipInfo(name, _EPOCH)
        info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        self._zip.writestr(info, data)
        if name != MANIFEST:
            self.members[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        return name

    def add_json(self, name: str, content: Any) -> str:
        return self.add(name, json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())

    def close(self) -> None:
        self._zip.close()


def filename(run: Run) -> str:
    """Return the name of the file: "run-12.paretoscope.zip"."""
    return f"run-{run.pk}.paretoscope.zip"


def write_bundle(run: Run) -> IO[bytes]:
    """Return the bundle of a run that has ended, as a file to read from the beginning; the caller closes it.

    Raises:
        RunStateError: the run still waits or is being worked on.
        ProblemError: it would be larger than any installation takes.
    """
    if run.status not in _ENDED:
        raise RunStateError("export", run.status, tuple(status.value for status in _ENDED))
    stream: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY_BYTES)  # noqa: SIM115  (the caller reads and closes it)
    writer = _Writer(stream)
    writer.add("readme.txt", _README.format(title=run.title).encode())
    manifest = {
        "schema": SCHEMA,
        "made_with": "Paretoscope",
        "exported": timezone.now().isoformat(),
        "engine": run.engine,
        "engine_version": run.engine_version,
        "problem": run.problem,
        "problem_hash": run.problem_hash,
        "run": _facts(run),
        "inputs": _inputs(run, writer),
        "chunks": list(_chunks(run, writer)),
        "results": _results(run, writer),
        "files": _files(run, writer),
        "steps": writer.add_json("steps.json", _steps(run)),
        "log": writer.add_json("log.json", _log(run)),
        **_parts(run, writer),
    }
    writer.add_json(MANIFEST, manifest | {"members": writer.members})
    writer.close()
    size = stream.tell()
    if size > MAX_BUNDLE_BYTES:
        stream.close()
        ways = ["Export the designs as Parquet."]
        raise ProblemError("bundle", f"{counted(size)} bytes", f"at most {counted(MAX_BUNDLE_BYTES)}", remedies=ways)
    stream.seek(0)
    return stream


def _facts(run: Run) -> dict[str, Any]:
    def at(moment: datetime | None) -> str | None:
        return moment.isoformat() if moment else None

    # Left out where there is no limit: an installation without time limits then takes the run too.
    limit = {} if run.stop_after_minutes is None else {
        "stop_after_minutes": float(run.stop_after_minutes), "computed_s": float(run.computed_s),
    }  # fmt: skip
    return limit | {
        "number": run.pk,
        "title": run.title,
        "project": run.project.slug,
        "owner": run.owner.get_username(),
        "status": run.status,
        "outcome": run.outcome,
        "outcome_detail": run.outcome_detail,
        "fraction": float(run.fraction),
        "message": run.message,
        "metrics": {name: finite(value) for name, value in run.metrics.items()},
        "evaluations": run.evaluations,
        "design_count": run.design_count,
        "step_number": run.step_number,
        "hypervolume_reference": run.hypervolume_reference and [float(value) for value in run.hypervolume_reference],
        "created": at(run.created),
        "started": at(run.started),
        "finished": at(run.finished),
        "attempt": run.attempt,
        "platform": run.platform,
        "plan": run.plan,
    }


def _inputs(run: Run, writer: _Writer) -> list[dict[str, Any]]:
    return [
        {
            "slot": item.slot,
            "kind": item.kind,
            "slug": item.slug,
            "version": item.version,
            "content_hash": item.content_hash,
            "member": writer.add_json(f"inputs/{number:04d}.json", item.content),
        }
        for number, item in enumerate(run.inputs.all())
    ]


def _chunks(run: Run, writer: _Writer) -> Iterator[dict[str, Any]]:
    """Yield one chunk in memory at a time."""
    for number, chunk in enumerate(DesignChunk.objects.filter(run=run).order_by("number").iterator(chunk_size=1)):
        yield {
            "first": chunk.first_index,
            "count": chunk.count,
            "step": chunk.step_number,
            "scalars": writer.add(f"designs/{number:05d}-scalars.arrow", bytes(chunk.scalars), packed=True),
            "decisions": writer.add(f"designs/{number:05d}-decisions.arrow", bytes(chunk.decisions), packed=True),
        }


def _results(run: Run, writer: _Writer) -> list[dict[str, Any]]:
    newest = {row.name: row for row in RunResult.objects.filter(run=run).order_by("step_number")}
    return [
        {"name": name, "step": row.step_number, "member": writer.add_json(f"results/{number:04d}.json", row.content)}
        for number, (name, row) in enumerate(sorted(newest.items()))
    ]


def _files(run: Run, writer: _Writer) -> list[dict[str, Any]]:
    return [
        {
            "name": file.name,
            "media_type": file.media_type,
            "step": file.step_number,
            "member": writer.add(f"files/{number:04d}.bin", read_content(file.blob_id)),
        }
        for number, file in enumerate(list_files(run))
    ]


def _parts(run: Run, writer: _Writer) -> dict[str, str]:
    found = {name: part.rows(run) for name, part in PARTS.items()}
    return {name: writer.add_json(f"{name}.json", rows) for name, rows in found.items() if rows}


def _steps(run: Run) -> list[dict[str, Any]]:
    names = (
        "number",
        "attempt",
        "fraction",
        "message",
        "metrics",
        "evaluations",
        "design_count",
        "hypervolume",
        "time",
    )
    rows = StepRecord.objects.filter(run=run).order_by("number").values(*names)
    return [row | {"time": row["time"].isoformat()} for row in rows]


def _log(run: Run) -> list[dict[str, Any]]:
    rows = LogLine.objects.filter(run=run).order_by("number").values("number", "attempt", "level", "text", "time")
    return [row | {"time": row["time"].isoformat()} for row in rows]
