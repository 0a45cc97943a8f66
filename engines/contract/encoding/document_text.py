"""Documents as text: YAML to content and back, with the limits that keep hostile input harmless."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import yaml

from engines.contract.designs import canonical_json
from engines.contract.encoding.json_text import is_json, read_json
from engines.contract.errors import ProblemError
from hardware.documents import DocumentSyntaxError, DocumentText, dump_yaml, parse_document

MAX_CONTENT_BYTES = 2_000_000
MAX_DEPTH = 40
_EventLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LEADING_KEYS = ("schema", "slug", "title", "summary", "source")


@dataclass(frozen=True)
class ReadDocument:
    """The document that a reader made from a file.

    Attributes:
        content: the document as JSON values that every database returns unchanged.
        lines: dotted key -> line in the file, from 1 on; empty where the file has no lines.
        report: remarks of the reader, such as operators of an imported network, as JSON values.
        copy: ONNX file without weights, which devices run (`engines.workloads.importing.onnx.onnx_copy`); empty for other files.
    """

    content: dict[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    copy: bytes = b""


def read_yaml(data: bytes, name: str = "document", options: Mapping[str, Any] | None = None) -> ReadDocument:
    """Return the content that a YAML (or JSON) file describes.

    Args:
        data: content of the file.
        name: name of the file in error messages.
        options: ignored; readers of other formats take options.

    Raises:
        ProblemError: the text is too long, is not YAML, uses aliases or repeated keys, or is not a mapping.
    """
    parsed = parse_yaml(data, name)
    return ReadDocument(as_content(parsed.content), parsed.lines)


def parse_yaml(data: bytes, name: str, leave_out: Collection[str] = ()) -> DocumentText:
    """Return the content of a YAML file, not yet checked by `as_content`. Arguments and errors as `read_yaml`.

    `leave_out` are keys of JSON that are left out with their values, such as a range that ends at infinity.
    """
    if len(data) > MAX_CONTENT_BYTES:
        raise ProblemError("document", f"{len(data)} bytes", f"a text of at most {MAX_CONTENT_BYTES} bytes")
    try:
        text = data.decode()
        if is_json(name):
            return DocumentText(_json_content(text, leave_out), name, _lines_of(text, name))
        _refuse_bombs(text)
        parsed = parse_document(text, name)
    except UnicodeDecodeError as error:
        raise ProblemError("document", str(error)[:300], "text in UTF-8") from error
    except DocumentSyntaxError as error:
        raise ProblemError(error.key, error.got[:300], error.accepted, error.line) from error
    except yaml.YAMLError as error:  # found while looking for bombs
        mark = getattr(error, "problem_mark", None)
        words = getattr(error, "problem", None) or " ".join(str(error).split())
        line = mark.line + 1 if mark else None
        raise ProblemError("document", words[:300], DocumentSyntaxError.NO_YAML, line) from error
    return parsed


def _json_content(text: str, leave_out: Collection[str]) -> dict[str, Any]:
    try:
        content = read_json(text, leave_out)
    except json.JSONDecodeError as error:
        raise ProblemError("document", error.msg, "a mapping written in JSON", error.lineno) from error
    except ValueError as error:
        raise ProblemError("document", str(error), "a mapping written in JSON") from error
    return as_content(content)


def _lines_of(text: str, name: str) -> Mapping[str, int]:
    """Return dotted key -> line of a JSON text; empty if it is not also valid YAML (tabs, some escapes)."""
    try:
        return parse_document(text, name).lines
    except (DocumentSyntaxError, yaml.YAMLError):
        return {}


def _refuse_bombs(text: str) -> None:
    """Refuse aliases and deep nesting, which make a small text huge, before a recursive reader sees it."""
    depth = 0
    for event in yaml.parse(text, Loader=_EventLoader):
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1 if event.start_mark else None
            raise ProblemError("document", "an alias", "YAML without anchors and aliases", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise ProblemError(
                    "document", f"more than {MAX_DEPTH} levels", f"nested at most {MAX_DEPTH} levels deep"
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def to_yaml(content: Mapping[str, Any]) -> str:
    """Return the content as YAML, identifying keys first; parsing the text gives equal content."""
    leading = {key: content[key] for key in _LEADING_KEYS if key in content}
    rest = {key: value for key, value in content.items() if key not in leading}
    return dump_yaml(_plain(leading | rest), sort_keys=False, allow_unicode=True, width=120)


def as_content(value: Any) -> dict[str, Any]:
    """Return `value` as document content that every database gives back unchanged.

    Raises:
        ProblemError: it is not a mapping with text keys, holds a value that JSON lacks, or is too large.
    """
    if not isinstance(value, Mapping):
        raise ProblemError("document", type(value).__name__, "a mapping of keys to values")
    content: dict[str, Any] = _storable(value, "document", 0)
    size = len(canonical_json(content).encode())
    if size > MAX_CONTENT_BYTES:
        raise ProblemError("document", f"{size} bytes", f"at most {MAX_CONTENT_BYTES} bytes as JSON")
    return content


def _storable(value: Any, path: str, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ProblemError(path, f"{depth} levels", f"nested at most {MAX_DEPTH} levels deep")
    if isinstance(value, Mapping):
        return {_key(key, path): _storable(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item, f"{path}[{number}]", depth + 1) for number, item in enumerate(value)]
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, float):
        return _number(value, path)
    if value is None or isinstance(value, bool | int):
        return value
    kind = type(value).__name__
    raise ProblemError(
        path, str(value), f"text, a number, true, false, null, a list or a mapping, not a {kind} (write it in quotes)"
    )


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise ProblemError(path, key, "a mapping whose keys are text")
    return _text(key, path)


def _text(value: str, path: str) -> str:
    if "\x00" in value:  # PostgreSQL cannot store it in JSON
        raise ProblemError(path, value, "text without the character NUL")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ProblemError(path, repr(value)[:200], "text without lone surrogates") from error
    return value


def _number(value: float, path: str) -> float | int:
    if not math.isfinite(value):
        raise ProblemError(path, value, "a finite number")
    # PostgreSQL writes numbers out in full: 1e+22 would come back as an integer and change the content's hash.
    return int(Decimal(repr(value))) if abs(value) >= 1e16 else value


def _plain(value: Any) -> Any:
    """Return mappings and tuples, nested ones too, as the `dict` and `list` that the YAML writer accepts."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
