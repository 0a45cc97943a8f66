"""Files of runs: content stored once under its hash, in parts, all in the database."""

from __future__ import annotations

import hashlib
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from webapp.runs.models import MAX_PART_BYTES, DocumentFile, FileBlob, FilePart, Run, RunFile, RunInput
from webapp.runs.storage.lease import FencingToken, persistently
from webapp.runs.storage.paced_writes import in_turn
from webapp.teams.visibility import visible_projects


def put_content(data: bytes) -> str:
    """Store `data` unless it is there; return its SHA-256 (hex). Call it within a transaction."""
    sha256 = hashlib.sha256(data).hexdigest()
    _, created = FileBlob.objects.get_or_create(sha256=sha256, defaults={"size": len(data)})
    if created:
        pieces = range(0, max(len(data), 1), MAX_PART_BYTES)
        for number, start in enumerate(pieces):  # in one statement they would all be in memory, some three times
            FilePart.objects.create(blob_id=sha256, number=number, data=data[start : start + MAX_PART_BYTES])
    return sha256


def read_content(sha256: str) -> bytes:
    """Return the content with that SHA-256. Raises KeyError if there is none."""
    parts = FilePart.objects.filter(blob_id=sha256).order_by("number").values_list("data", flat=True)
    pieces = [bytes(part) for part in parts]
    if not pieces:
        raise KeyError(f"No file with the SHA-256 {sha256} is stored.")
    return b"".join(pieces)


def list_files(run: Run) -> list[RunFile]:
    """Return the files that a run offers for download, the newest of each name."""
    newest = {
        file.name: file for file in run.files.filter(working=False).order_by("step_number").select_related("blob")
    }
    return [newest[name] for name in sorted(newest)]


def in_documents_of(run_id: int, sha256: str) -> bool:
    """Return whether a document that the run was given holds the file.

    That is a version of the same content to which the file was linked, in a project that the run's owner sees: who knows the
    words of another person's document does not get its file.
    """
    given = RunInput.objects.filter(run_id=run_id).values("content_hash")
    holding = DocumentFile.objects.filter(blob_id=sha256, version__content_hash__in=given)
    owner = Run.objects.select_related("owner").get(pk=run_id).owner
    return holding.filter(version__document__project__in=visible_projects(owner)).exists()


class RunFileKeeper:
    """The engine's own files (`context.files`) of one attempt; an `engines.running.files.FileKeeper` over the database."""

    def __init__(self, fencing_token: FencingToken) -> None:
        """Write as the holder of `fencing_token`."""
        self._fence = fencing_token

    def put(self, data: bytes) -> str:
        """Store `data`; return its SHA-256 (hex)."""
        return persistently(lambda: self._put(data))

    def _put(self, data: bytes) -> str:
        with self._fence.transaction():
            sha256 = put_content(data)
            self._name(f"sha256/{sha256}", sha256)
        return sha256

    def get(self, key: str) -> bytes:
        """Return the content with that SHA-256, if this run or one of its documents has it. Raises KeyError if neither has."""
        own = RunFile.objects.filter(run_id=self._fence.run_id, blob_id=key)
        if not persistently(own.exists) and not persistently(lambda: in_documents_of(self._fence.run_id, key)):
            raise KeyError(f"Run {self._fence.run_id} has no file with the SHA-256 {key}.")
        return persistently(lambda: read_content(key))

    def lookup(self, name: str) -> bytes | None:
        """Return the content kept under `name`, None if there is none."""
        found = persistently(RunFile.objects.filter(run_id=self._fence.run_id, working=True, name=f"name/{name}").first)
        return None if found is None else persistently(lambda: read_content(found.blob_id))

    def keep(self, name: str, data: bytes) -> None:
        """Keep `data` under `name`; the first content of a name stays."""
        persistently(lambda: self._keep(name, data))

    def _keep(self, name: str, data: bytes) -> None:
        with self._fence.transaction():
            if not RunFile.objects.filter(run_id=self._fence.run_id, working=True, name=f"name/{name}").exists():
                self._name(f"name/{name}", put_content(data))

    def _name(self, name: str, sha256: str) -> None:
        RunFile.objects.get_or_create(
            run_id=self._fence.run_id,
            working=True,
            name=name,
            step_number=0,
            defaults={"media_type": "application/octet-stream", "blob_id": sha256},
        )


def sweep_contents() -> int:
    """Delete contents that no run and no document has any more, as those were deleted, one after the other. Returns how many.

    A run that stores the same content in the same moment fails on the foreign key, and its next attempt stores it again.
    """
    unused = FileBlob.objects.filter(uses=None, documents=None)
    return sum(in_turn(partial(_delete_unused, unused, name)) for name in list(unused.values_list("pk", flat=True)))


def _delete_unused(unused: QuerySet[FileBlob], sha256: str) -> int:
    try:
        with transaction.atomic():
            return unused.filter(pk=sha256).delete()[1].get("runs.FileBlob", 0)
    except IntegrityError:  # a run has taken it a moment ago
        return 0
