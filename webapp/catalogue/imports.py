"""Files that people bring along: read, checked and stored as versions of documents."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from engines.builtin import builtin_documents
from engines.contract import DocumentKind
from engines.designs import canonical_json
from engines.errors import ProblemError
from webapp.catalogue import service
from webapp.catalogue.documents import from_yaml
from webapp.teams.models import Project
from webapp.teams.visibility import Principal

FILE_ENDINGS = (".yaml", ".yml", ".json")


def names_file(reference: str) -> bool:
    """Whether an input is given as a file, by its ending, and not by the name of a document."""
    return reference.lower().endswith(FILE_ENDINGS)


def store_file(principal: Principal, project: Project, kind: str, path: Path) -> str:
    """Store what a file describes as the next version of the document that it names.

    A file whose content is the newest version's already gives that version, an unchanged export of a built-in the built-in.

    Returns:
        the name of the version: "project/slug@number", or the slug of a built-in.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: the file cannot be read, or describes no document of that kind.
    """
    text = _text(kind, path)
    content = from_yaml(text).content
    builtin = builtin_documents(cast(DocumentKind, kind)).get(str(content.get("slug")))
    if builtin is not None and canonical_json(builtin.content) == canonical_json(content):
        return builtin.slug
    version = service.store_version(principal, project, kind, text)
    return f"{project.slug}/{version.document.slug}@{version.number}"


def _text(kind: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError(kind, str(path), f"a readable file in UTF-8 ({error})") from error
