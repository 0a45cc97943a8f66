"""Inputs of an engine: named documents of the catalogue, and presets that forms offer by name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engines.contract.designs import canonical_json, ordered_json
from hardware.family import DocumentKind


@dataclass(frozen=True)
class Document:
    """One version of a catalogue document, as an engine sees it.

    Attributes:
        kind: what the document describes.
        slug: name in the catalogue (hyphens).
        version: number of the version, from 1 on.
        content: the JSON-able mapping that the YAML of that version reads as.
    """

    kind: DocumentKind
    slug: str
    version: int
    content: Mapping[str, Any]

    def content_hash(self) -> str:
        """Return the SHA-256 (hex) of the canonical JSON of `content`.

        The order of keys is no part of it. Engines that list units, settings or layers as a mapping does may find other designs for
        the same keys in another order: stored documents therefore keep theirs, and every run is computed from its own.
        """
        return self._hash

    @cached_property
    def _hash(self) -> str:
        return hashlib.sha256(canonical_json(self.content).encode()).hexdigest()

    @cached_property
    def ordered_hash(self) -> str:
        """`content_hash` of the keys in their own order: of what is made by following that."""
        return hashlib.sha256(ordered_json(self.content).encode()).hexdigest()


@dataclass(frozen=True)
class InputKind:
    """A named slot of an engine.

    Attributes:
        kind: which documents fit.
        schemas: values of the document's own `schema` key that fit (("chiplet-package/1",)); empty accepts any.
        title, help: words for forms.
        required: whether a problem without it is refused.
        preferred: slug of the built-in document that forms open with and that `paretoscope explore` takes where none is named; ""
            leaves it to them.
        load: parses a document's content into what the engine works with; raises `ProblemError` or the loader's own error.
    """

    kind: DocumentKind
    title: str
    help: str
    load: Callable[[Mapping[str, Any]], Any]
    schemas: tuple[str, ...] = ()
    required: bool = True
    preferred: str = ""

    def takes(self, kind: str, schema: str) -> bool:
        """Return whether documents of that kind and `schema` fit."""
        return self.kind == kind and (not self.schemas or schema in self.schemas)


@dataclass(frozen=True)
class Preset:
    """A problem that forms offer by name.

    Attributes:
        name: in addresses.
        title: what people read.
        inputs: slot -> slug of a built-in document.
        params: those that are not the defaults.
        question: what it answers, for people who have no run yet; "" keeps it out of what they are offered. It takes seconds, and
            its front has a trade-off.
    """

    name: str
    title: str
    inputs: Mapping[str, str]
    params: Mapping[str, Any] = field(default_factory=dict)
    question: str = ""
