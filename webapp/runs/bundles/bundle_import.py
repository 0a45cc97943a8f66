"""A run that another installation exported: checked in the limited child, then stored piece by piece, or not at all."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.contract.titles import checked_title
from engines.exchange.bundle import MAX_BUNDLE_BYTES, BundleArchive, FileFacts, Manifest
from engines.exchange.bundle_reader import RECOMPUTING_S
from engines.registry import engine_names, engine_path
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits
from webapp.limits.service import require_room
from webapp.runs.bundles.bundle_parts import PARTS
from webapp.runs.bundles.run_import import PiecewiseImport
from webapp.runs.errors import ImportEndedError
from webapp.runs.inputs.documents import check_texts
from webapp.runs.models import DesignChunk, LogLine, Run, RunFile, RunInput, RunResult, StepRecord
from webapp.runs.storage.files import put_content
from webapp.runs.storage.result_roles import with_role
from webapp.runs.storage.stored_bytes import bytes_of
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, require_edit

# Documents of large networks and a chunk of designs at a time; benchmarks would tell if a run of a million designs needed more.
LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=90, time_s=180.0)
_PACKAGED_S = 5.0  # to compute designs of the site's own files again: a sample is enough
_ROWS_AT_ONCE = 500
_FIRST_YEAR, _LAST_YEAR = 1970, 9998


def import_bundle(principal: Principal, project: Project, data: bytes, name: str = "bundle") -> Run:
    """Store the run of a bundle in `project`, owned by `principal` and marked as imported.

    Everything in the bundle is compared first: sizes and hashes, the problem with its documents, metrics with designs, and the
    designs of the front, the baselines and a sample of the others with what the engine computes; the run keeps for good how many
    those were. Nothing is stored unless all of it agrees.

    Args:
        principal: who imports; an editor or maintainer of the project.
        project: project of the run.
        data: the file.
        name: name of the file, for messages.

    Raises:
        NotAllowed: `principal` may not edit the project.
        LimitReachedError: there is no room for it.
        ProblemError: what does not agree, or that the bundle took more than the limits.
    """
    require_edit(principal, project)  # before a process is started
    with transaction.atomic():
        require_room(project.pk, int(principal.pk or 0), stored_bytes=len(data))
    return store_bundle(principal, project, data, name)


def store_bundle(principal: Principal, project: Project, data: bytes, name: str, packaged: bool = False) -> Run:
    """Return `import_bundle` for callers that have permissions of their own; `packaged`: the file comes with the site."""
    if len(data) > MAX_BUNDLE_BYTES:
        raise ProblemError(
            "bundle", f"{counted(len(data))} bytes", f"a file of at most {counted(MAX_BUNDLE_BYTES)} bytes"
        )
    engines = {each: engine_path(each) for each in engine_names()}
    # Nobody can know beforehand which designs are computed again.
    options = {"engines": engines, "seed": secrets.randbits(32), "within_s": _PACKAGED_S if packaged else RECOMPUTING_S}
    read = read_in_child("run-bundle", data, name, options, LIMITS)
    # The child compared everything; the archive compares each member's hash again as it is read here.
    archive = BundleArchive(data)
    if archive.manifest.model_dump(mode="json", by_alias=True) != read.content:
        raise ProblemError("bundle", "another manifest", "the manifest that was checked")
    manifest = archive.manifest
    check_texts("bundle", read.content)
    run = _run(manifest, principal, project, hashlib.sha256(data).hexdigest(), read.report)
    if packaged:
        run.imported["packaged"] = True
    steps, log = (_rows(archive, name, member) for name, member in (("steps", manifest.steps), ("log", manifest.log)))
    single = len(manifest.inputs) + len(manifest.chunks) + len(manifest.results) + len(manifest.files) + len(PARTS)
    batches = -(-len(steps) // _ROWS_AT_ONCE) - (-len(log) // _ROWS_AT_ONCE)
    importing = PiecewiseImport(run, single + batches)
    try:
        for piece in _pieces(run, archive, steps, log):
            importing.store(piece)
            del piece  # a file of 64 MB is let go before the next is read
        # Creation has a default of the database's clock; what came before stays known.
        importing.finish(
            stored_bytes=bytes_of(importing.run.pk),
            started=_at(manifest.run.started),
            finished=_at(manifest.run.finished),
        )
    except ImportEndedError as error:
        accepted = "a run that is kept until its import ends"
        raise ProblemError(
            "bundle", "deleted while it was imported", accepted, remedies=["Import the bundle again."]
        ) from error
    except Exception:
        importing.discard()
        raise
    run.refresh_from_db()
    return run


def _run(manifest: Manifest, principal: Principal, project: Project, sha256: str, checked: Mapping[str, Any]) -> Run:
    facts = manifest.run
    return Run(
        project=project,
        owner_id=int(principal.pk or 0),
        title=checked_title("title", facts.title),
        engine=manifest.engine,
        engine_version=manifest.engine_version,
        params=manifest.problem["params"],
        seed=manifest.problem["seed"],
        problem=manifest.problem,
        problem_hash=manifest.problem_hash,
        platform=facts.platform,
        plan=facts.plan,
        status=facts.status,
        wish=Run.Wish.STOP,
        outcome=facts.outcome,
        outcome_detail=facts.outcome_detail,
        fraction=facts.fraction,
        message=facts.message,
        metrics=facts.metrics,
        evaluations=facts.evaluations,
        design_count=facts.design_count,
        step_number=facts.step_number,
        hypervolume_reference=facts.hypervolume_reference,
        attempt=facts.attempt,
        stop_after_minutes=facts.stop_after_minutes,
        computed_s=facts.computed_s,
        imported={
            "run": facts.number,
            "project": facts.project,
            "owner": facts.owner,
            "created": facts.created,
            "exported": manifest.exported,
            "made_with": manifest.made_with,
            "imported": timezone.now().isoformat(),
            "sha256": sha256,
            "checked": dict(checked),
        },
    )


def _rows(archive: BundleArchive, name: str, member: str) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = archive.read_json(member)
    check_texts(f"bundle.{name}", rows)
    return rows


def _pieces(
    run: Run, archive: BundleArchive, steps: Sequence[Mapping[str, Any]], log: Sequence[Mapping[str, Any]]
) -> Iterator[Callable[[], object]]:
    """Yield what stores the run's parts, each small enough for a short transaction; a part is read before its turn to be stored."""
    manifest = archive.manifest
    for item in manifest.inputs:
        facts = item.model_dump(include={"slot", "kind", "slug", "version", "content_hash"})
        yield RunInput(run=run, content=_content(archive, item.member), **facts).save
    for chunk in manifest.chunks:
        yield DesignChunk(
            run=run,
            number=chunk.first + chunk.count,
            first_index=chunk.first,
            count=chunk.count,
            step_number=chunk.step,
            scalars=archive.read(chunk.scalars),
            decisions=archive.read(chunk.decisions),
        ).save
    for result in manifest.results:
        content = with_role(_content(archive, result.member))
        yield RunResult(run=run, name=result.name, type=content["type"], step_number=result.step, content=content).save
    for file in manifest.files:
        yield partial(_store_file, run, file, archive.read(file.member))
    for rows in _batches(steps):
        yield partial(StepRecord.objects.bulk_create, [StepRecord(run=run, **_timed(row)) for row in rows])
    for rows in _batches(log):
        yield partial(LogLine.objects.bulk_create, [LogLine(run=run, **_timed(row)) for row in rows])
    for name, part in PARTS.items():
        member = getattr(manifest, name)
        if member is not None:
            yield partial(part.store, run, _content(archive, member))


def _batches(rows: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    return (rows[start : start + _ROWS_AT_ONCE] for start in range(0, len(rows), _ROWS_AT_ONCE))


def _content(archive: BundleArchive, member: str) -> Any:
    content = archive.read_json(member)
    check_texts(f"bundle.{member}", content)
    return content


def _store_file(run: Run, file: FileFacts, data: bytes) -> None:
    blob = put_content(data)
    RunFile.objects.create(run=run, name=file.name, media_type=file.media_type, step_number=file.step, blob_id=blob)


def _timed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "time": _at(row["time"])}


def _at(text: str | None) -> datetime | None:
    """Return a moment of the manifest; times without a zone are UTC.

    Raises:
        ProblemError: it is none.
    """
    if text is None:
        return None
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    # At both ends of what a date can be, another time zone has none for the same moment.
    if found is None or not _FIRST_YEAR <= found.year <= _LAST_YEAR:
        raise ProblemError("bundle.time", text[:40], f"an ISO 8601 date and time, from {_FIRST_YEAR} to {_LAST_YEAR}")
    return found if found.tzinfo else found.replace(tzinfo=timezone.get_default_timezone())
