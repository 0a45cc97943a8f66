"""Built-in documents: the read-only files that ship with the product, all of version 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from engines.contract.engine import Document, DocumentKind, InputKind
from engines.contract.errors import ProblemError
from engines.data.documents import builtin_data_sets
from engines.documents.accepted_documents import accepted_words, listed
from engines.recordings.loader import builtin_recordings
from engines.workloads.loader import builtin_workloads
from hardware.battery.loader import builtin_batteries
from hardware.calibration.loader import builtin_calibrations
from hardware.environment.loader import builtin_environments
from hardware.package.loader import builtin_hardware
from hardware.radio.loader import builtin_radios
from hardware.sensor_node.loader import builtin_sensor_nodes
from hardware.soc.loader import builtin_socs


def _hardware() -> Mapping[str, Mapping[str, Any]]:
    readers = (builtin_hardware, builtin_socs, builtin_sensor_nodes, builtin_radios, builtin_batteries)
    return {slug: content for read in readers for slug, content in read().items()}


def _data() -> Mapping[str, Mapping[str, Any]]:
    return {**builtin_recordings(), **builtin_data_sets()}


_READERS: Mapping[DocumentKind, Callable[[], Mapping[str, Mapping[str, Any]]]] = MappingProxyType(
    {
        "hardware": _hardware,
        "workload": builtin_workloads,
        "calibration": builtin_calibrations,
        "environment": builtin_environments,
        "data": _data,
    }
)


class _Documents(Mapping[str, Document]):
    """Slug -> document; contents are read when somebody wants them."""

    def __init__(self, kind: DocumentKind, contents: Mapping[str, Mapping[str, Any]]) -> None:
        self._kind = kind
        self._contents = contents

    def __getitem__(self, slug: str) -> Document:
        return Document(self._kind, slug, 1, self._contents[slug])

    def __contains__(self, slug: object) -> bool:
        return slug in self._contents

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)


@cache
def builtin_documents(kind: DocumentKind) -> Mapping[str, Document]:
    """Slug -> document of every built-in of that kind; empty for kinds that have none. Read once per process."""
    return _Documents(kind, _READERS[kind]() if kind in _READERS else {})


def get_builtin(kind: DocumentKind, slug: str) -> Document:
    """The built-in document of that kind and name.

    Raises:
        ProblemError: there is none; lists those that exist.
    """
    documents = builtin_documents(kind)
    if slug not in documents:
        rest = f'list(engines.documents.builtin.builtin_documents("{kind}"))'
        raise ProblemError(kind, slug, f"one of: {listed(tuple(documents), rest) or 'none is built in'}")
    return documents[slug]


def fitting_builtins(kind: InputKind) -> list[str]:
    """The slugs of the built-in documents that fit the slot."""
    documents = builtin_documents(kind.kind)
    return [slug for slug in documents if not kind.schemas or documents[slug].content.get("schema") in kind.schemas]


def accepted_builtins(kind: InputKind) -> str:
    """`accepted_words` of the built-in documents, where no catalogue is at hand."""
    return accepted_words(
        kind, fitting_builtins(kind), f'list(engines.documents.builtin.builtin_documents("{kind.kind}"))'
    )
