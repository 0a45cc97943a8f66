"""A run that another installation exported: checked in the limited child, then stored at once or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from engines.bundle import MAX_BUNDLE_BYTES, BundleArchive, Manifest
from engines.counts import counted
from engines.errors import ProblemError
from engines.registry import engine_names, engine_path
from engines.runner.limited import ChildLimits
from engines.runner.reading import read_in_child
from webapp.runs.documents import check_texts
from webapp.runs.files import put_content
from webapp.runs.models import DesignChunk, LogLine, Run, RunFile, RunInput, RunResult, StepRecord
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, require_edit

# Documents of large networks and a chunk of designs at a time; benchmarks would tell if a run of a million designs needed more.
LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=90, time_s=180.0)
_ROWS_AT_ONCE = 500


def import_bundle(principal: Principal, project: Project, data: bytes, name: str = "bundle") -> Run:
    """Store the run of a bundle in `project`, owned by `principal` and marked as imported.

    Everything in the bundle is compared first: sizes and hashes, the problem with its documents, designs with the engine's
    columns. Nothing is stored unless all of it agrees.

    Args:
        principal: who imports; an editor or admin of the project.
        project: where the run belongs.
        data: the file.
        name: of the file, for messages.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: what does not agree, or that the bundle took more than the limits.
    """
    require_edit(principal, project)  # before a process is started
    if len(data) > MAX_BUNDLE_BYTES:
        raise ProblemError(
            "bundle", f"{counted(len(data))} bytes", f"a file of at most {counted(MAX_BUNDLE_BYTES)} bytes"
        )
    engines = {each: engine_path(each) for each in engine_names()}
    read = read_in_child("run-bundle", data, name, {"engines": engines}, LIMITS)
    # The child compared everything; the archive compares each member's hash again as it is read here.
    archive = BundleArchive(data)
    if archive.manifest.model_dump(mode="json", by_alias=True) != read.content:
        raise ProblemError("bundle", "another manifest", "the manifest that was checked")
    manifest = archive.manifest
    check_texts("bundle", read.content)
    with transaction.atomic():
        run = _run(manifest, principal, project, hashlib.sha256(data).hexdigest())
        run.save(force_insert=True)
        _store_inputs(run, archive)
        _store_designs(run, archive)
        _store_results_and_files(run, archive)
        _store_records(run, archive)
        # Creation has a default of the database's clock; what came before stays known.
        Run.objects.filter(pk=run.pk).update(started=_at(manifest.run.started), finished=_at(manifest.run.finished))
    run.refresh_from_db()
    return run


def _run(manifest: Manifest, principal: Principal, project: Project, sha256: str) -> Run:
    facts = manifest.run
    return Run(
        project=project,
        owner_id=int(principal.pk or 0),
        title=facts.title,
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
        },
    )


def _store_inputs(run: Run, archive: BundleArchive) -> None:
    for item in archive.manifest.inputs:
        content = archive.read_json(item.member)
        check_texts(f"bundle.{item.member}", content)
        facts = item.model_dump(include={"slot", "kind", "slug", "version", "content_hash"})
        RunInput.objects.create(run=run, content=content, **facts)


def _store_designs(run: Run, archive: BundleArchive) -> None:
    for chunk in archive.manifest.chunks:
        DesignChunk.objects.create(
            run=run,
            number=chunk.first + chunk.count,
            first_index=chunk.first,
            count=chunk.count,
            step_number=chunk.step,
            scalars=archive.read(chunk.scalars),
            decisions=archive.read(chunk.decisions),
        )


def _store_results_and_files(run: Run, archive: BundleArchive) -> None:
    for item in archive.manifest.results:
        content = archive.read_json(item.member)
        check_texts(f"bundle.{item.member}", content)
        RunResult.objects.create(run=run, name=item.name, type=content["type"], step_number=item.step, content=content)
    for file in archive.manifest.files:
        blob = put_content(archive.read(file.member))
        RunFile.objects.create(run=run, name=file.name, media_type=file.media_type, step_number=file.step, blob_id=blob)


def _store_records(run: Run, archive: BundleArchive) -> None:
    steps, log = archive.read_json(archive.manifest.steps), archive.read_json(archive.manifest.log)
    for name, rows in (("steps", steps), ("log", log)):
        check_texts(f"bundle.{name}", rows)
    StepRecord.objects.bulk_create((StepRecord(run=run, **_timed(row)) for row in steps), batch_size=_ROWS_AT_ONCE)
    LogLine.objects.bulk_create((LogLine(run=run, **_timed(row)) for row in log), batch_size=_ROWS_AT_ONCE)


def _timed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "time": _at(row["time"])}


def _at(text: str | None) -> datetime | None:
    """A moment of the manifest; times without a zone are UTC.

    Raises:
        ProblemError: it is none.
    """
    if text is None:
        return None
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise ProblemError("bundle.time", text[:40], "a moment in ISO 8601")
    return found if found.tzinfo else found.replace(tzinfo=timezone.get_default_timezone())
