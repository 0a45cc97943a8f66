"""Files that people bring along: read in a limited child process, checked, and stored as versions of documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.db import transaction

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import MAX_CONTENT_BYTES, ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.contract.titles import checked_title
from engines.documents import families
from engines.documents.builtin import builtin_documents
from engines.running.runner.file_reader import NETWORK_LIMITS, TEXT_LIMITS, read_in_child
from engines.running.runner.readers import reader_for
from engines.workloads.importing.gguf.gguf_file import MAX_HEADER_BYTES
from engines.workloads.importing.limits import MAX_FILE_BYTES
from hardware.family import DocumentKind
from webapp.catalogue import service
from webapp.catalogue.models import DocumentVersion
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, require_edit

_LIMITS = dict.fromkeys(("onnx", "litert", "gguf", "weights"), NETWORK_LIMITS)
Store = Callable[..., tuple[DocumentVersion, bool]]  # as `service.store`
# What is imported under the name of a built-in document gets a name of its own.
_OWN = "-imported"


@dataclass(frozen=True)
class Upload:
    """A file as somebody hands it in.

    Attributes:
        name: name of the file; its ending says the format.
        data: its content.
        title: title of the document; that in the file, or else the file's name, by default.
        dims: open dimension of a network -> its size.
        exclude: operators without a cost model that engines may leave out.
        next_version: whether it becomes the next version of a document of that name that has other content.
    """

    name: str
    data: bytes
    title: str = ""
    dims: Mapping[str, int] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    next_version: bool = False


@dataclass(frozen=True)
class ImportOutcome:
    """The outcome of a file.

    Attributes:
        kind: kind of the document.
        schema: the content's own `schema` key.
        slug, version: slug and version of the document.
        project: slug of its project; None for a built-in, of which the file is an unchanged export.
        title, summary: for people.
        created: whether the version is new; False where its content was stored already.
        report: how a network was read (`engines.workloads.importing.document`); empty for other files.
    """

    kind: str
    schema: str
    slug: str
    version: int
    project: str | None
    title: str
    summary: str
    created: bool
    report: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """The name by which commands and problem documents find this very version."""
        return self.slug if self.project is None else f"{self.project}/{self.slug}@{self.version}"


def names_file(reference: str) -> bool:
    """Return whether an input is given as a file: it has an ending, which no name of a document has."""
    return bool(Path(reference).suffix)


def upload_of(path: Path, **said: Any) -> Upload:
    """Return a file of this machine; `said` are the other attributes of `Upload`.

    Raises:
        ProblemError: it cannot be read, or is too large.
    """
    try:
        if path.suffix.lower() == ".gguf":  # of many gigabytes its header is read
            with path.open("rb") as file:
                return Upload(path.name, file.read(MAX_HEADER_BYTES), **said)
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:  # before it is in memory
            raise ProblemError("file", f"{size} bytes", f"a file of at most {counted(MAX_FILE_BYTES)} bytes")
        return Upload(path.name, path.read_bytes(), **said)
    except OSError as error:
        raise ProblemError(
            "file", str(path), "a readable file", reason=f"The file cannot be read: {error.strerror}."
        ) from error


def read_upload(upload: Upload) -> ReadDocument:
    """Return the document that a file describes; nothing is stored.

    Raises:
        ProblemError: the format is not known, or the file is not what its ending says.
    """
    reader = reader_for(upload.name)
    if len(upload.data) > MAX_FILE_BYTES:
        raise ProblemError("file", f"{len(upload.data)} bytes", f"a file of at most {counted(MAX_FILE_BYTES)} bytes")
    title = checked_title("name", upload.title) if upload.title else ""
    options = {"name": title, "dims": dict(upload.dims), "exclude": list(upload.exclude)}
    read = read_in_child(reader, upload.data, upload.name, options, _LIMITS.get(reader, TEXT_LIMITS))
    if len(canonical_json(read.content)) > MAX_CONTENT_BYTES:
        got = f"{counted(len(canonical_json(read.content)))} bytes as a document"
        ways = ["Reduce the number of operators, rows or digits."]
        raise ProblemError("file", got, f"a file of at most {counted(MAX_CONTENT_BYTES)} bytes", remedies=ways)
    return read


def _kind_of(read: ReadDocument, name: str, wanted: str | None) -> DocumentKind:
    """Return the kind of document in a file, refused with the way on where another one is wanted."""
    family = families.family_of(read.content)
    if wanted in (None, family.kind):
        return family.kind
    fitting = " or ".join(each.title.lower() for each in families.families(wanted))
    found = family.title.lower()
    raise ProblemError(
        "file",
        f"{name}, a {found}",
        f"a file with a {fitting}",
        remedies=[
            f"Add a {found} on the page Catalogue.",
            f"Give the file to a run (paretoscope explore ENGINE --input NAME={name}).",
        ],
    )


def import_upload(
    principal: Principal, project: Project, upload: Upload, kind: str | None = None, store: Store = service.store
) -> ImportOutcome:
    """Read a file and store what it describes as the next version of the document that it names.

    Content equal to the newest version's gives that version back, an unchanged export of a built-in the built-in.

    Args:
        principal: who stores; an editor or maintainer of `project`.
        project: project of the document.
        upload: the file.
        kind: requested kind of document; None for any.
        store: what keeps the document, and its file where it needs one.

    Raises:
        NotAllowed: `principal` may not edit the project.
        NameTakenError: a document of that name has other content, and `upload` does not say that this is its next version.
        ProblemError: names what is wrong with the file, or the key, the value got and the values accepted.
    """
    require_edit(principal, project)  # before a process is started
    read = read_upload(upload)
    kind = _kind_of(read, upload.name, kind)
    builtin = builtin_documents(kind).get(str(read.content.get("slug")))
    if builtin is not None and canonical_json(builtin.content) == canonical_json(read.content):
        entry = service.get_entry(principal, kind, builtin.slug)
        return ImportOutcome(kind, entry.schema, entry.slug, entry.version, None, entry.title, entry.summary, False)
    if builtin is not None and read.report:
        slug = builtin.slug[: 80 - len(_OWN)].rstrip("-") + _OWN
        read = replace(read, content={**read.content, "slug": slug})
    report = dict(read.report)
    with transaction.atomic() if report.get("further") else nullcontext():  # all documents of a file, or none
        version, created = store(principal, project, kind, read, unasked=upload.next_version)
        for content in report.pop("further", ()):
            further, _ = store(principal, project, kind, ReadDocument(content), unasked=upload.next_version)
            report["notes"] = [*report["notes"], f"Stored as well: {further.title} ({further.document.slug})."]
    slug, number = version.document.slug, version.number
    return ImportOutcome(
        kind, version.schema, slug, number, project.slug, version.title, version.summary, created, report
    )
