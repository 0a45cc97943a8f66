"""The form of every kind of hardware but packages: one field per figure of the document. No components."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.documents import families
from frontend.components.form import FieldSpec, help_text
from frontend.pages.hardware_form.data import SEPARATOR, SOURCE, Mistake, mistakes_of, name_specs
from hardware.figure_editing import in_words, typed_like, with_values
from hardware.figure_table import figure_table

# Longer groups are folded until asked for.
MOST_OPEN = 30


@dataclass(frozen=True)
class ValueGroup:
    """The fields of one part of a document, with what stands in them."""

    title: str
    fields: tuple[FieldSpec, ...]
    values: Mapping[str, str]


def value_groups(content: Mapping[str, Any]) -> tuple[ValueGroup, ...]:
    """The figures of a valid document by part; under each field stands where its figure is from."""
    rows = figure_table(content, families.load(content, "hardware").sources)
    groups: dict[str, list[tuple[FieldSpec, str]]] = {}
    for row in rows:
        spec = FieldSpec(
            row.key.replace(".", SEPARATOR), row.title, "text", None, help=f"Source: {row.source}", unit=row.unit
        )
        groups.setdefault(row.group or "Device", []).append((spec, in_words(at(content, row.key))))
    return tuple(
        ValueGroup(title, tuple(spec for spec, _ in fields), {spec.name: words for spec, words in fields})
        for title, fields in groups.items()
    )


def at(content: Mapping[str, Any], key: str) -> Any:
    """What stands at a dotted key; "" for words that the document leaves out."""
    value: Any = content
    for part in key.split("."):
        value = value.get(part, "") if isinstance(value, Mapping) else ""
    return value


def value_specs(base: Mapping[str, Any]) -> dict[str, FieldSpec]:
    """Name -> field of everything in the form."""
    figures = {spec.name: spec for group in value_groups(base) for spec in group.fields}
    return {spec.name: spec for spec in name_specs()} | figures


def built_values(base: Mapping[str, Any], raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Mistake]]:
    """The document that the fields describe, and what is wrong with it.

    Args:
        base: the valid document that was opened.
        raw: name of a field -> what was typed.
    """
    changes = {}
    for name, typed in raw.items():
        key = name.replace(SEPARATOR, ".")
        if name == SOURCE:
            continue
        old = at(base, key)
        value = typed_like(old, str(typed or ""))
        if value != old:
            changes[key] = value
    source = str(raw.get(SOURCE) or "").strip()
    content = with_values(base, changes, source or "assumed")
    mistakes = [] if source else [Mistake(SOURCE, "Words are needed")]
    try:
        families.load(content, "hardware")
    except ProblemError as error:
        mistakes.extend(mistakes_of(error))
    return content, mistakes


def value_lines(base: Mapping[str, Any], names: list[str], mistakes: list[Mistake]) -> dict[str, tuple[str, bool]]:
    """Name of a field -> the line under it, and whether that is a mistake; one within a list is the list's."""
    specs = value_specs(base)
    lines = {}
    for name in names:
        key = name.replace(SEPARATOR, ".")
        wrong = next((each.words for each in mistakes if f"{each.key}.".startswith(f"{key}.")), "")
        lines[name] = (wrong or help_text(specs[name]), bool(wrong))
    return lines
