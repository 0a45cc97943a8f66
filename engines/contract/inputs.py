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
        kind: kind of the document.
        slug: name in the catalogue (hyphens).
        version: number of the version, from 1 on.
        content: the document as JSON values, parsed from the YAML of that version.
    """

    kind: DocumentKind
    slug: str
    version: int
    content: Mapping[str, Any]

    def content_hash(self) -> str:
        """Return the SHA-256 (hex) of the canonical JSON of `content`.

        The order of keys does not change it. Engines that follow the order of units, settings or layers may find other designs for
        another order, so stored documents keep their order and every run uses that of its own document.
        """
        return self._hash

    @cached_property
    def _hash(self) -> str:
        return hashlib.sha256(canonical_json(self.content).encode()).hexdigest()

    @cached_property
    def ordered_hash(self) -> str:
        """SHA-256 (hex) of the content with keys in their own order, for results that depend on this order."""
        return hashlib.sha256(ordered_json(self.content).encode()).hexdigest()


@dataclass(frozen=True)
class InputKind:
    """A named input of an engine and the documents that fit it.

    Attributes:
        kind: kind of document that fits.
        schemas: values of the document's own `schema` key that fit (("chiplet-package/1",)); empty accepts any.
        title, help: label and help text of the form.
        required: whether a problem without this input is refused.
        preferred: slug of the built-in document that forms and `paretoscope explore` select by default; "" leaves the choice to
            them.
        load: parses the content of a document for `Problem.value`; raises `ProblemError` or the loader's own error.
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
    """A named set of inputs and parameters that forms offer.

    Attributes:
        name: slug in addresses.
        title: title on pages.
        inputs: input name -> slug of a built-in document.
        params: parameters that differ from their defaults.
        question: the question that the preset answers, shown to users without runs; "" hides it from them. Such a preset must
            run in seconds and show a trade-off.
    """

    name: str
    title: str
    inputs: Mapping[str, str]
    params: Mapping[str, Any] = field(default_factory=dict)
    question: str = ""
