"""Usage of runs and files of documents, each figure from one query over an index.

Bytes of a run are kept in its row as it is stored (`webapp.runs.storage.stored_bytes`). A file that several runs or documents name
is stored once and counts for each. What was deleted counts until it is removed for good.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet, Sum

from webapp.limits.usage import count
from webapp.runs.models import DocumentFile, Run

ACTIVE = (Run.Status.QUEUED, Run.Status.RUNNING)


def count_runs() -> None:
    """Make the limits count runs and files of documents."""
    count("active_runs", "runs", _active_runs)
    count("study_cells", "runs", _study_cells)
    count("stored_mb", "runs", _run_bytes)
    count("stored_mb", "files of documents", _file_bytes)


def _runs(of: str, key: int) -> QuerySet[Run]:
    return Run.objects.filter(project=key) if of == "project" else Run.objects.filter(owner=key)


def _active_runs(of: str, key: int) -> int:
    return _runs(of, key).filter(status__in=ACTIVE).count()


def _study_cells(of: str, key: int) -> int:
    return _runs(of, key).filter(study__isnull=False, deleted__isnull=True).count()


def _run_bytes(of: str, key: int) -> int:
    return int(_runs(of, key).order_by().aggregate(total=Sum("stored_bytes"))["total"] or 0)


def _file_bytes(of: str, key: int) -> int:
    documents = Q(version__document__project=key) if of == "project" else Q(version__created_by=key)
    return int(DocumentFile.objects.filter(documents).aggregate(total=Sum("blob__size"))["total"] or 0)
