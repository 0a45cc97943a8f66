"""Built-in documents: the read-only files that ship with the product, all of version 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from engines.contract.engine import Document, InputKind
from engines.contract.errors import ProblemError
from engines.documents.accepted_documents import accepted_words, listed
from engines.documents.families import families
from hardware.family import DocumentKind


class _Documents(Mapping[str, Document]):
    """Slug -> document; contents are read when a person wants them."""

    def __init__(self, kind: DocumentKind) -> None:
        self._kind = kind
        self._families = tuple(family.builtins() for family in families(kind))

    def __getitem__(self, slug: str) -> Document:
        for contents in self._families:
            if slug in contents:
                return Document(self._kind, slug, 1, contents[slug])
        raise KeyError(slug)

    def __contains__(self, slug: object) -> bool:
        return any(slug in contents for contents in self._families)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._families)

    def __len__(self) -> int:
        return sum(map(len, self._families))


def builtin_documents(kind: DocumentKind) -> Mapping[str, Document]:
    """Return slug -> document of every built-in of that kind, family by family; empty for kinds that have none."""
    return _Documents(kind)


def get_builtin(kind: DocumentKind, slug: str) -> Document:
    """Return the built-in document of that kind and name.

    Raises:
        ProblemError: there is none; lists those that exist.
    """
    documents = builtin_documents(kind)
    if slug not in documents:
        rest = f'list(engines.documents.builtin.builtin_documents("{kind}"))'
        raise ProblemError(kind, slug, f"one of: {listed(tuple(documents), rest) or 'none is built in'}")
    return documents[slug]


def fitting_builtins(kind: InputKind) -> list[str]:
    """Return the slugs of the built-in documents that fit the slot."""
    documents = builtin_documents(kind.kind)
    return [slug for slug in documents if not kind.schemas or documents[slug].content.get("schema") in kind.schemas]


def accepted_builtins(kind: InputKind) -> str:
    """Return `accepted_words` of the built-in documents, where no catalogue is at hand."""
    return accepted_words(
        kind, fitting_builtins(kind), f'list(engines.documents.builtin.builtin_documents("{kind.kind}"))'
    )
