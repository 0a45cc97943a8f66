"""The common parts of all kinds of hardware documents when they are read: text, check against a schema, lines in errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, update_wrapper
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from hardware.documents import DocumentSyntaxError, DocumentText, line_of, load_yaml, parse_document, read_document
from hardware.errors import HardwareError
from hardware.sources import spread_sources
from hardware.validation import figures_of, findings_of

Model = TypeVar("Model", bound=BaseModel)
Loaded = TypeVar("Loaded")
Described_co = TypeVar("Described_co", covariant=True)


class Loader(Protocol[Described_co]):
    """Reads the content of a document of one schema."""

    def __call__(
        self, content: Mapping[str, Any], file: str | None = None, lines: Mapping[str, int] | None = None
    ) -> Described_co:
        """Return the object that the document describes.

        Args:
            content: the document.
            file: name for messages; the document's slug by default.
            lines: dotted key -> line, where the document was read from a file.

        Raises:
            HardwareError: names file, key, value got and values accepted, and the line where it is known.
        """


def document_loader(build: Callable[[Mapping[str, Any], str], Loaded]) -> Loader[Loaded]:
    """Return the loader made of `build`, which takes content and the name for messages: file and lines are seen to here."""

    def load(content: Mapping[str, Any], file: str | None = None, lines: Mapping[str, int] | None = None) -> Loaded:
        return located(lines, lambda: build(content, name_of(content, file)))

    update_wrapper(load, build, updated=())
    del load.__wrapped__  # type: ignore[attr-defined]  # its parameters are not those of `load`
    return load


def name_of(content: Mapping[str, Any], file: str | None) -> str:
    """Return the name of a document for messages: its file, or its slug."""
    return file or str(content.get("slug", "hardware"))


def located(lines: Mapping[str, int] | None, load: Callable[[], Loaded]) -> Loaded:
    """Return the result of `load`; errors gain the line number of their key.

    Raises:
        HardwareError: as `load`.
    """
    try:
        return load()
    except HardwareError as error:
        if not lines:
            raise
        facts = (error.file, error.key, error.got, error.accepted, line_of(lines, error.key), error.others)
        raise HardwareError(*facts, reason=error.reason, remedies=error.remedies) from None


def validated(model: type[Model], content: Mapping[str, Any], file: str) -> Model:
    """Return `content` as a document of the schema `model`.

    Raises:
        HardwareError: the finding to tell first, with the others.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first, *others = findings_of(error, model)
        raise HardwareError(file, *first, others=others) from None


def sources_of_figures(
    sources: Mapping[str, str], content: Mapping[str, Any], sections: Sequence[str], file: str
) -> dict[str, str]:
    """Return figure -> its source, for all figures below the named sections of `content`.

    Raises:
        HardwareError: a figure without a source, or a source that covers no figure.
    """
    return spread_sources(sources, figures_of(content, sections), file)


def read_text(source: Path | str, file: str) -> DocumentText:
    """Return a YAML file or text with its lines.

    Raises:
        HardwareError: it is not YAML.
    """
    try:
        return read_document(source, file) if isinstance(source, Path) else parse_document(source, file)
    except DocumentSyntaxError as error:
        raise HardwareError(error.file, error.key, error.got, error.accepted, error.line) from error


def check_ascending(values: Sequence[float], key: str, file: str, what: str) -> None:
    """Refuse values that are not strictly ascending; `what` names them in the error.

    Raises:
        HardwareError: names the first such value.
    """
    steps = np.diff(np.asarray(values, np.float64))
    if (steps <= 0).any():
        index = int(np.argmax(steps <= 0)) + 1
        raise HardwareError(file, f"{key}.{index}", values[index], f"above {values[index - 1]:g}: {what}")


@cache
def contents_of(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every document in a folder of files that ship with the product; read once per process."""
    contents = [load_yaml(path) for path in sorted(folder.glob("*.yaml"))]
    return MappingProxyType({content["slug"]: content for content in contents})
