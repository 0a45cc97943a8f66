"""What all kinds of hardware documents share when they are read: text, check against a schema, lines in errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hardware.documents import DocumentSyntaxError, DocumentText, line_of, load_yaml, parse_document, read_document
from hardware.errors import HardwareError
from hardware.validation import foremost, to_hardware_error

Model = TypeVar("Model", bound=BaseModel)
Loaded = TypeVar("Loaded")


def name_of(content: Mapping[str, Any], file: str | None) -> str:
    """What messages call a document: its file, or its slug."""
    return file or str(content.get("slug", "hardware"))


def located(lines: Mapping[str, int] | None, load: Callable[[], Loaded]) -> Loaded:
    """What `load` gives; its errors get the line of their key.

    Raises:
        HardwareError: as `load`.
    """
    try:
        return load()
    except HardwareError as error:
        if not lines:
            raise
        raise HardwareError(error.file, error.key, error.got, error.accepted, line_of(lines, error.key)) from None


def validated(model: type[Model], content: Mapping[str, Any], file: str) -> Model:
    """`content` as a document of the schema `model`.

    Raises:
        HardwareError: the finding to tell first.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise to_hardware_error(foremost(error), model, file) from None


def read_text(source: Path | str, file: str) -> DocumentText:
    """A YAML file or text with its lines.

    Raises:
        HardwareError: it is not YAML.
    """
    try:
        return read_document(source, file) if isinstance(source, Path) else parse_document(source, file)
    except DocumentSyntaxError as error:
        raise HardwareError(error.file, "document", error.message, "valid YAML", error.line) from error


@cache
def contents_of(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Slug -> content of every document in a folder of files that ship with the product; read once per process."""
    contents = [load_yaml(path) for path in sorted(folder.glob("*.yaml"))]
    return MappingProxyType({content["slug"]: content for content in contents})
