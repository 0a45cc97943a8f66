"""Documents with a file of their own: weights that a run trained, data sets that a person brought along."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from django.db import transaction

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.engine import DOCUMENT_MEDIA_TYPE
from engines.contract.engine import Document as EngineDocument
from engines.contract.errors import ProblemError
from engines.documents import families
from engines.documents.document_consumers import takers_of
from engines.registry import get_engine
from webapp.catalogue import service
from webapp.catalogue.imports import ImportOutcome, Upload, import_upload
from webapp.catalogue.models import DocumentVersion
from webapp.limits.service import require_room
from webapp.runs.models import DocumentFile, Run, RunFile
from webapp.runs.storage.files import in_documents_of, list_files, put_content, read_content
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, require_edit, visible_projects


def store_documents_of(run_id: int) -> list[str]:
    """Store the documents that a run made as versions in its project, safe to repeat. Return one message per document.

    Raises:
        ProblemError: a document is not one, or names a file that the run does not have.
        NotAllowed: the owner of the run may not edit its project any more.
    """
    if not RunFile.objects.filter(run_id=run_id, media_type=DOCUMENT_MEDIA_TYPE, working=False).exists():
        return []
    run = Run.objects.select_related("owner", "project").get(pk=run_id)
    made = [file for file in list_files(run) if file.media_type == DOCUMENT_MEDIA_TYPE]
    told = []
    for file in made:
        content = json.loads(read_content(file.blob_id))
        with transaction.atomic():
            version = _stored(run.owner, run.project, content)
            sha256 = _named_file(content)
            if sha256 and not RunFile.objects.filter(run=run, blob_id=sha256).exists():
                raise ProblemError("file.sha256", sha256, "the SHA-256 of a file of the run")
            _link(version, sha256)
            # Weights name the data set that they learnt: who searches with them measures on it.
            learnt = _named_file(content.get("data"))
            if learnt and in_documents_of(run_id, learnt):
                _link(version, learnt)
        told.append(f"In the catalogue: {reference_of(version)}, {version.title}.")
    return told


def store_with_file(principal: Principal, project: Project, content: Mapping[str, Any], data: bytes) -> DocumentVersion:
    """Store a document together with the file that it names.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: the document is not valid, or names another file.
        LimitReachedError: there is no room for the file.
    """
    require_edit(principal, project)
    with transaction.atomic():
        require_room(project.pk, int(principal.pk or 0), stored_bytes=len(data))
        sha256 = put_content(data)
        if _named_file(content) != sha256:
            raise ProblemError("file.sha256", _named_file(content), f"{sha256}, the SHA-256 of the file")
        version = _stored(principal, project, content)
        _link(version, sha256)
    return version


def import_file(principal: Principal, project: Project, upload: Upload, kind: str | None = None) -> ImportOutcome:
    """Return `webapp.catalogue.imports.import_upload`, which also keeps the file where the document names it: weights of a network.

    Of an ONNX file its copy without weights is kept, which devices measure.

    Raises:
        LimitReachedError: there is no room for the file.
    """

    def kept(
        person: Principal, place: Project, found: str, read: ReadDocument, *, unasked: bool
    ) -> tuple[DocumentVersion, bool]:
        named = _named_file(read.content) == hashlib.sha256(upload.data).hexdigest()
        data = upload.data if named else read.copy
        if not data:
            return service.store(person, place, found, read, unasked=unasked)
        with transaction.atomic():
            require_room(place.pk, int(person.pk or 0), stored_bytes=len(data))
            version, created = service.store(person, place, found, read, unasked=unasked)
            _link(version, put_content(data))
        return version, created

    return import_upload(principal, project, upload, kind, kept)


def network_copies(person: Principal, networks: Iterable[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return slug -> copy of the uploaded file, for networks of which there is one in a project that `person` sees.

    Args:
        person: who may see the file.
        networks: contents of documents.
    """
    found = {}
    for content in networks:
        hashed = EngineDocument("workload", str(content["slug"]), 1, content).content_hash()
        files = DocumentFile.objects.filter(version__content_hash=hashed, version__schema__startswith="network/")
        seen = files.filter(version__document__project__in=visible_projects(person)).order_by("pk").last()
        if seen is not None:
            found[str(content["slug"])] = read_content(seen.blob_id)
    return found


def copies_of_inputs(run: Run) -> dict[str, bytes]:
    """Return `network_copies` of the one network that a run was given, alone or within a scenario; several are never measured."""
    contents = [item.content for item in run.inputs.filter(kind="workload")]
    within = [model.get("network") for content in contents for model in content.get("models", ())]
    networks = [each for each in (*contents, *within) if isinstance(each, Mapping) and "models" not in each]
    return network_copies(run.owner, networks) if len({each["slug"] for each in networks}) == 1 else {}


def versions_made_by(run: Run) -> list[DocumentVersion]:
    """Return the versions of documents that hold files of a run, newest first."""
    blobs = RunFile.objects.filter(run=run, working=False).values("blob")
    holding = DocumentFile.objects.filter(blob__in=blobs).values("version")
    versions = DocumentVersion.objects.filter(pk__in=holding, document__project=run.project)
    return list(versions.select_related("document__project").order_by("-pk"))


def explore_commands(kind: str, content: Mapping[str, Any], reference: str) -> list[str]:
    """Return the `manage.py` commands that run a document: one line per engine that accepts it.

    Args:
        kind: kind of the document.
        content: content of its version.
        reference: the name by which commands find it.
    """
    found = []
    for engine, slot in takers_of(kind, str(content["schema"])):
        with suppress(ProblemError):  # an engine may take only some documents of a schema
            get_engine(engine).inputs[slot].load(content)
            found.append(f"explore {engine} --input {slot}={reference}")
    return found


def reference_of(version: DocumentVersion) -> str:
    """Return the name by which commands and problem documents find this very version."""
    return f"{version.document.project.slug}/{version.document.slug}@{version.number}"


def _stored(principal: Principal, project: Project, content: Mapping[str, Any]) -> DocumentVersion:
    return service.store(principal, project, families.family_of(content).kind, content)[0]


def _named_file(content: Any) -> str:
    file = content.get("file") if isinstance(content, Mapping) else None
    return str(file.get("sha256", "")) if isinstance(file, Mapping) else ""


def _link(version: DocumentVersion, sha256: str) -> None:
    if sha256:
        DocumentFile.objects.get_or_create(version=version, blob_id=sha256)
