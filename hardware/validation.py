"""Turns what does not fit the schema into errors that name key, value got and values accepted."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from hardware.errors import HardwareError

_NUMBER_LIKE = re.compile(r"^[+-]?\d[\d_]*(\.\d*)?[eE][+-]?\d+$")
_KIND_WORDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "list_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "finite_number": "a finite number",
}
_BOUND_WORDS = {
    "greater_than": ("gt", "greater than {}"),
    "greater_than_equal": ("ge", "at least {}"),
    "less_than": ("lt", "less than {}"),
    "less_than_equal": ("le", "at most {}"),
}


def findings_of(error: ValidationError, model: type[BaseModel]) -> list[tuple[str, Any, str]]:
    """Return all findings as by `describe`, the one to tell first in front, one per key."""
    first = foremost(error)
    ordered = [first, *(detail for detail in error.errors() if detail != first)]
    found: dict[str, tuple[str, Any, str]] = {}
    for detail in ordered:
        finding = describe(detail, model)
        found.setdefault(finding[0], finding)
    return list(found.values())


def to_hardware_error(detail: ErrorDetails, model: type[BaseModel], file: str) -> HardwareError:
    """Return one of pydantic's findings as a `HardwareError`."""
    return HardwareError(file, *describe(detail, model))


def describe(detail: ErrorDetails, model: type[BaseModel]) -> tuple[str, Any, str]:
    """Return (dotted key, value got - None where it is missing -, values accepted) of one of pydantic's findings about `model`."""
    parts = [str(part) for part in detail["loc"] if not _is_union_tag(part)]
    key = ".".join(parts) or "document"
    if detail["type"] == "missing":
        return key, None, _description(model, parts)
    if detail["type"] == "extra_forbidden":
        return key, detail["input"], _unknown_key_words(model, parts)
    if len(parts) < len(detail["loc"]) and (field := _field_at(model, parts)) is not None and field.description:
        return key, detail["input"], f"as described: {field.description.rstrip('.')}"
    return key, detail["input"], _accepted(detail)


def foremost(error: ValidationError) -> ErrorDetails:
    """Return the finding to tell first: an unknown key before the missing one that it was meant to be."""
    details = error.errors()
    return next((detail for detail in details if detail["type"] == "extra_forbidden"), details[0])


def _is_union_tag(part: str | int) -> bool:
    # Where a value may be text or a list, pydantic adds the branch it tried to the path; that is no key of the document.
    return isinstance(part, str) and (part in ("str", "int") or part.startswith(("list[", "dict[", "constrained-")))


def _accepted(detail: ErrorDetails) -> str:
    kind, context, got = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind in _BOUND_WORDS:
        name, words = _BOUND_WORDS[kind]
        return "a number " + words.format(f"{context[name]:g}")
    if kind == "literal_error":
        return f"one of: {context['expected']}".replace("'", "").replace(" or ", ", ")
    if kind in ("too_short", "string_too_short"):
        return "not empty"
    if kind == "too_long":
        return f"at most {context['max_length']} long"
    if kind == "string_pattern_mismatch":
        return "small letters, digits and single hyphens (simba-3x3-nvdla)"
    words = _KIND_WORDS.get(kind, detail["msg"])
    if kind in ("float_type", "int_type") and isinstance(got, str) and _NUMBER_LIKE.match(got):
        return f"{words} (YAML reads {got} as text; write a dot and a sign: 1.0e+9)"
    return words


def _model_at(model: type[BaseModel], parts: Sequence[str]) -> type[BaseModel] | None:
    """Return the section that `parts` lead to, following mappings of sections."""
    current: Any = model
    for part in parts:
        field = next((f for n, f in current.model_fields.items() if (f.alias or n) == part), None)
        annotation = field.annotation if field else None
        inner = next((a for a in get_args(annotation) if _is_section(a)), None)
        if _is_section(annotation):
            current = annotation
        elif inner is not None:
            current = inner
        elif field is not None:
            return None
    return current if _is_section(current) else None


def _field_at(model: type[BaseModel], parts: Sequence[str]) -> FieldInfo | None:
    """Return the field that `parts` lead to or into."""
    for end in range(len(parts), 0, -1):
        section = _model_at(model, parts[: end - 1])
        for name, field in section.model_fields.items() if section else ():
            if (field.alias or name) == parts[end - 1]:
                return field
    return None


def _is_section(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _unknown_key_words(model: type[BaseModel], parts: Sequence[str]) -> str:
    section = _model_at(model, parts[:-1]) or model
    names = _names(section)
    near = difflib.get_close_matches(parts[-1], names, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"left out, as this key is unknown. Known here: {', '.join(names)}{hint}"


def _description(model: type[BaseModel], parts: Sequence[str]) -> str:
    """Return the description of a missing key: type, unit and meaning."""
    field = _field_at(model, parts)
    if field is None:
        return "given"
    extra = field.json_schema_extra
    unit = f" in {extra['unit']}" if isinstance(extra, dict) and "unit" in extra else ""
    meaning = ": ".join(words for words in (field.title, field.description) if words).rstrip(".")
    return _type_words(field) + unit + (f" ({meaning})" if meaning else "")


def _type_words(field: FieldInfo) -> str:
    annotation = str(field.annotation)
    if _is_section(field.annotation) or annotation.startswith("dict"):
        return "a mapping of keys to values"
    for start, words in (("list", "a list"), ("<class 'int'>", "a whole number"), ("<class 'float'>", "a number")):
        if annotation.startswith(start):
            return words
    return "one of: " + ", ".join(get_args(field.annotation)) if annotation.startswith("typing.Literal") else "text"


def figures_of(content: Mapping[str, Any], sections: Sequence[str]) -> list[str]:
    """Return the dotted keys of all figures (numbers, the layout, interface sides) below those of the named keys that are given."""
    found: list[str] = []
    for section in sections:
        if section in content:
            _collect(content[section], section, found)
    return found


def _collect(value: Any, path: str, found: list[str]) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _collect(inner, f"{path}.{key}", found)
    else:
        found.append(path)
