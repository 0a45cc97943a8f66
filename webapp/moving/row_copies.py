"""Rows once more, in another project. Called within a transaction, by `webapp.moving.service`, which asks for permission."""

from __future__ import annotations

from copy import copy as shallow
from typing import Any

from django.db.models import Model

from webapp.catalogue.models import Document, DocumentVersion
from webapp.comparisons.models import Comparison
from webapp.reports.models import Report, ReportVersion
from webapp.runs.models import (
    Checkpoint,
    DesignChunk,
    DocumentFile,
    LogLine,
    Run,
    RunFile,
    RunInput,
    RunResult,
    StepRecord,
)
from webapp.studies.models import Study
from webapp.teams.models import Project

_PARTS: tuple[type[Model], ...] = (RunInput, StepRecord, Checkpoint, DesignChunk, RunResult, RunFile, LogLine)
_AT_ONCE = 20  # a chunk of designs may have some megabytes


def copy_run(run: Run, target: Project, owner: int, study: Study | None = None) -> Run:
    """Copy a run with all its results; its place in a study is copied only together with that study."""
    cell = run.cell if study is not None else {}
    made: Run = _again(
        run, project=target, owner_id=owner, study=study, cell=cell, parent=None, lease_owner="", lease_expires=None
    )
    for model in _PARTS:
        rows: list[Any] = []
        for row in model._default_manager.filter(run=run).iterator(chunk_size=_AT_ONCE):
            rows.append(_unsaved(row, run=made))
            if len(rows) == _AT_ONCE:
                model._default_manager.bulk_create(rows)
                rows = []
        model._default_manager.bulk_create(rows)
    return made


def copy_study(study: Study, target: Project, owner: int) -> Study:
    """Return the study with copies of those of its runs that are not deleted."""
    made: Study = _again(study, project=target, owner_id=owner)
    for run in Run.objects.filter(study=study, deleted=None).order_by("pk"):
        copy_run(run, target, owner, made)
    return made


def copy_comparison(comparison: Comparison, target: Project, owner: int) -> Comparison:
    """Copy a comparison; its runs stay in their projects, with their own permissions."""
    made: Comparison = _again(comparison, project=target, owner_id=owner)
    return made


def copy_report(report: Report, target: Project, owner: int) -> Report:
    """Return the report with its newest version, numbered 1; its runs stay where they are."""
    made: Report = _again(report, project=target, owner_id=owner)
    newest = ReportVersion.objects.filter(report=report).order_by("-number").first()
    if newest is not None:
        _again(newest, report=made, number=1, created_by_id=owner)
    return made


def copy_document(document: Document, target: Project, author: int) -> Document:
    """Return the document with its newest version, numbered 1, and the files that it names."""
    made: Document = _again(document, project=target)
    newest = document.versions.order_by("-number").first()
    if newest is not None:
        version: DocumentVersion = _again(newest, document=made, number=1, created_by_id=author)
        links = DocumentFile.objects.filter(version=newest)
        DocumentFile.objects.bulk_create(DocumentFile(version=version, blob_id=link.blob_id) for link in links)
    return made


def _again(row: Any, **changed: Any) -> Any:
    made = _unsaved(row, **changed)
    made.save(force_insert=True)
    made.refresh_from_db()
    return made


def _unsaved(row: Any, **changed: Any) -> Any:
    """Return the same values in a row that is not stored yet."""
    made = shallow(row)
    made._state = type(row._state)()
    made.pk = None
    for name, value in changed.items():
        setattr(made, name, value)
    return made
