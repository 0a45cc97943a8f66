"""The form of every kind of hardware but packages: one field per figure of the document. No components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.documents import families
from frontend.components.form import FieldSpec, help_text
from frontend.pages.hardware_form.data import SEPARATOR, SOURCE, Mistake, mistakes_of, name_specs
from hardware.figure_editing import in_words, typed_like, with_values
from hardware.figure_table import Figure, figure_table

# Longer groups are folded until asked for.
MOST_OPEN = 30


@dataclass(frozen=True)
class ValueGroup:
    """The fields of one part of a document, with what stands in them; `source` is where most of its figures are from."""

    title: str
    fields: tuple[FieldSpec, ...]
    values: Mapping[str, str]
    source: str = ""


def value_groups(content: Mapping[str, Any]) -> tuple[ValueGroup, ...]:
    """The figures of a valid document by part.

    Where most figures of a part are from is told once, of the part; under a field stands where its own is from if that differs.
    """
    rows = figure_table(content, families.load(content, "hardware").sources)
    parts: dict[str, list[Figure]] = {}
    for row in rows:
        parts.setdefault(row.group or "Device", []).append(row)
    return tuple(_group(content, title, found) for title, found in parts.items())


def _group(content: Mapping[str, Any], title: str, rows: Sequence[Figure]) -> ValueGroup:
    counted = Counter(row.source for row in rows)
    usual, count = counted.most_common(1)[0]
    usual = usual if count > 1 else ""
    specs = tuple(
        FieldSpec(
            row.key.replace(".", SEPARATOR), row.title, "text", None, unit=row.unit,
            help="" if row.source == usual else f"Source: {row.source}",
        )
        for row in rows
    )  # fmt: skip
    values = {spec.name: in_words(at(content, row.key)) for spec, row in zip(specs, rows, strict=True)}
    return ValueGroup(title, specs, values, usual)


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
