"""Reader of YAML documents, with the line of every key.

Plain scalars are read as YAML 1.2 has them (1e3 is a number), and those are refused that YAML 1.1, YAML 1.2 and people read
differently: 010, 0x10, 1_000, 6:00, yes, off, and dates. `y` and `n` are text, as in columns and keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, ClassVar

import yaml

_TAG = "tag:yaml.org,2002:"
_MOST_SHOWN = 60  # letters of a value in a message
_DATE, _AMBIGUOUS = f"{_TAG}timestamp", "!ambiguous"
_AMBIGUOUS_FORMS = re.compile(
    r"""^(?:(?P<true>yes|Yes|YES|on|On|ON)|(?P<false>no|No|NO|off|Off|OFF)
    |(?P<zeros>[-+]?0[0-9_]+)
    |(?P<base>[-+]?0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+))
    |(?P<colons>[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)
    |(?P<grouped>[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?))$""",
    re.VERBOSE,
)
# What a plain scalar is, and the characters that it begins with; the first that fits counts.
_PLAIN = (
    ("null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    ("bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    ("int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789")),
    (
        "float",
        re.compile(
            r"^(?:[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN))$"
        ),
        list("-+.0123456789"),
    ),
    ("merge", re.compile("^<<$"), ["<"]),
)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


def _whole_number(loader: Any, node: yaml.Node) -> int:
    """Return a whole number, decimal also as !!int 010; unlike PyYAML's, errors have a line."""
    text = str(loader.construct_scalar(node))
    try:
        return int(text)
    except ValueError as error:
        problem = f"{text[:_MOST_SHOWN]} is no whole number of at most 4,300 digits"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from error


_Loader.add_constructor(f"{_TAG}int", _whole_number)
for _class in (_Loader, _Dumper):
    for _name, _form, _first in _PLAIN:
        _class.add_implicit_resolver(_TAG + _name, _form, _first)
    _class.add_implicit_resolver(_AMBIGUOUS, _AMBIGUOUS_FORMS, list("-+.0123456789yYnNoO"))
    for _form in [form for tag, form in yaml.SafeLoader.yaml_implicit_resolvers["2"] if tag == _DATE]:
        _class.add_implicit_resolver(_DATE, _form, list("0123456789"))

# An alias can make a short text stand for a huge or endless document; people write neither.
MAX_DEPTH = 40
MAX_KEYS = 500_000


class DocumentSyntaxError(Exception):
    """A text is not YAML, or not a mapping, or a value in it can be read in several ways.

    Attributes:
        message: words without the place.
        line: from 1 on; None where it is not known.
        key, got, accepted: path of the value, as written, and how to write it; of what is no YAML `NO_KEY` and the message.
    """

    NO_KEY, NO_YAML = "document", "a mapping written in valid YAML"

    def __init__(self, file: str, message: str, line: int | None = None) -> None:
        self.file, self.message, self.line = file, message, line
        self.key, self.got, self.accepted = self.NO_KEY, message, self.NO_YAML
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
        DocumentSyntaxError: the file is not YAML, a key occurs twice, or the whole is not a mapping.
    """
    return parse_document(path.read_text(encoding="utf-8"), file or path.name)


def parse_document(text: str, file: str = "document") -> DocumentText:
    """Read a YAML text.

    Raises:
        DocumentSyntaxError: as for `read_document`.
    """
    lines: dict[str, int] = {}
    content = _read(text, file, lines)
    if not isinstance(content, dict):
        raise DocumentSyntaxError(file, "a document is a mapping of keys to values")
    return DocumentText(content, file, lines)


def parse_value(text: str) -> Any:
    """Read a value as documents have it.

    Raises:
        DocumentSyntaxError: it is not YAML, or holds a value that can be read in several ways.
    """
    return _read(text, "value", {})


def dump_yaml(content: Any, **style: Any) -> str:
    """Write what `parse_document` reads back; `style` is that of `yaml.dump`."""
    return str(yaml.dump(content, Dumper=_Dumper, **style))


def load_yaml(path: Path) -> dict[str, Any]:
    """Return the mapping in a trusted YAML file, without lines: several times faster than `read_document`.

    Raises:
        DocumentSyntaxError: the file does not hold a mapping.
    """
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader
    if not isinstance(content, dict):
        raise DocumentSyntaxError(path.name, "a document is a mapping of keys to values")
    return content


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the keys of `over` laid over it, mapping by mapping; lists and plain values are replaced whole."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def line_of(lines: Mapping[str, int], key: str) -> int | None:
    """Return the line of `key`, or of the nearest key around it (that is where a missing key belongs)."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition(".")[0]
    return None


def _read(text: str, file: str, lines: dict[str, int]) -> Any:
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _note_lines(node, "", file, lines)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise DocumentSyntaxError(file, error.problem or "not YAML", mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError) as error:
        raise DocumentSyntaxError(file, f"not YAML: {error}") from error


def _ambiguous(file: str, key: str, value: str, line: int) -> DocumentSyntaxError:
    """Return the error of a value of `_AMBIGUOUS_FORMS`, or of a date."""
    if len(value) > _MOST_SHOWN:
        return _refused(file, key, f"{value[:_MOST_SHOWN]}…", "a decimal number, or text in quotes", line)
    form = _AMBIGUOUS_FORMS.match(value)
    kind, digits = (form.lastgroup if form else "date"), value.replace("_", "")
    way = {"true": "true", "false": "false", "colons": "a number without colons", "grouped": digits}.get(kind or "", "")
    if kind in ("zeros", "base"):
        with suppress(ValueError):  # 0x_ has no digits
            way = str(int(digits, 10 if kind == "zeros" else 0))
    accepted = f'{way}, or "{value}" in quotes for text' if way else f'"{value}" in quotes'
    return _refused(file, key, value, f"{accepted} (YAML 1.1 reads {_reading(value)})", line)


def _refused(file: str, key: str, value: str, accepted: str, line: int) -> DocumentSyntaxError:
    error = DocumentSyntaxError(file, f"{key} must be {accepted}. Got {value} instead.", line)
    error.key, error.got, error.accepted = key, value, accepted
    return error


def _reading(value: str) -> str:
    try:
        found = yaml.safe_load(value)
    except (yaml.YAMLError, ValueError):
        found = value
    return "a date" if isinstance(found, date) else "text" if found == value else str(found).lower()


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
                raise DocumentSyntaxError(file, f"the key {key!r} occurs twice", line)
            seen.add(key)
            here = f"{path}.{key}" if path else key
            if key_node.tag in (_AMBIGUOUS, _DATE):
                raise _ambiguous(file, here, key, line)
            lines[here] = line
            _note_lines(value_node, here, file, lines)
    elif node.tag in (_AMBIGUOUS, _DATE):
        raise _ambiguous(file, path or "value", node.value, node.start_mark.line + 1)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            here = f"{path}.{index}" if path else str(index)
            lines[here] = item.start_mark.line + 1
            _note_lines(item, here, file, lines)
