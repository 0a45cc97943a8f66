"""Documents as people write them: YAML, read together with the line of every key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# An alias can make a short text stand for a huge or endless document; people write neither.
MAX_DEPTH = 40
MAX_KEYS = 500_000


class DocumentSyntaxError(Exception):
    """A text is not YAML, or not a mapping; `line` from 1 on."""

    def __init__(self, file: str, message: str, line: int | None = None) -> None:
        self.file, self.message, self.line = file, message, line
        super().__init__(f"{file}, line {line}: {message}" if line else f"{file}: {message}")


@dataclass(frozen=True)
class DocumentText:
    """A document with the lines that its keys stand on.

    Attributes:
        content: the mapping that the YAML reads as.
        file: name for messages.
        lines: dotted path of a key -> line, from 1 on.
    """

    content: dict[str, Any]
    file: str
    lines: Mapping[str, int] = field(default_factory=dict)


def read_document(path: Path, file: str | None = None) -> DocumentText:
    """Read a YAML file. `file` is the name used in messages, the file's own name by default.

    Raises:
        DocumentSyntaxError: the file is not YAML, a key stands twice, or the whole is not a mapping.
    """
    return parse_document(path.read_text(encoding="utf-8"), file or path.name)


def parse_document(text: str, file: str = "document") -> DocumentText:
    """Read a YAML text.

    Raises:
        DocumentSyntaxError: as for `read_document`.
    """
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode):
                raise DocumentSyntaxError(file, "a document is a mapping of keys to values")
            lines: dict[str, int] = {}
            _note_lines(node, "", file, lines)
            content = loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise DocumentSyntaxError(file, error.problem or "not YAML", mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError) as error:
        raise DocumentSyntaxError(file, f"not YAML: {error}") from error
    return DocumentText(content, file, lines)


def load_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a trusted YAML file, without lines: several times faster than `read_document`.

    Raises:
        DocumentSyntaxError: the file does not hold a mapping.
    """
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader
    if not isinstance(content, dict):
        raise DocumentSyntaxError(path.name, "a document is a mapping of keys to values")
    return content


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with the keys of `over` laid over it, mapping by mapping; lists and plain values are replaced whole."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def line_of(lines: Mapping[str, int], key: str) -> int | None:
    """The line of `key`, or of the nearest key around it (that is where a missing key belongs)."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition(".")[0]
    return None


def _note_lines(node: yaml.Node, path: str, file: str, lines: dict[str, int]) -> None:
    if path.count(".") > MAX_DEPTH or len(lines) > MAX_KEYS:
        raise DocumentSyntaxError(
            file,
            f"a document nests at most {MAX_DEPTH} deep and has at most {MAX_KEYS:,} keys",
            node.start_mark.line + 1,
        )
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key_node, value_node in node.value:
            key = str(key_node.value)
            line = key_node.start_mark.line + 1
            # PyYAML keeps the last of two equal keys in silence; a figure must not be lost that way.
            if key in seen:
                raise DocumentSyntaxError(file, f"the key {key!r} stands twice", line)
            seen.add(key)
            here = f"{path}.{key}" if path else key
            lines[here] = line
            _note_lines(value_node, here, file, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            here = f"{path}.{index}"
            lines[here] = item.start_mark.line + 1
            _note_lines(item, here, file, lines)
