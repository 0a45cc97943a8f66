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
from hardware.figure_table import Figure, figure_table
from hardware.value_edits import in_words, typed_like, with_values

# Longer groups are folded until asked for.
MOST_OPEN = 30
_UNITS = "units."  # before the keys of the figures of units


@dataclass(frozen=True)
class ValueGroup:
    """The fields of one part of a document, with their values.

    Attributes:
        source: source of most values.
        sources: where the others are from, each once: "Source 1" under a field is the first of these.
        unit: name of the unit that the part describes; "" for any other part.
    """

    title: str
    fields: tuple[FieldSpec, ...]
    values: Mapping[str, str]
    source: str = ""
    sources: tuple[str, ...] = ()
    unit: str = ""


def value_groups(content: Mapping[str, Any]) -> tuple[ValueGroup, ...]:
    """Return the figures of a valid document by part, every unit a part of its own.

    Where most figures of a part are from is told once, of the part, and so is every other source; under a field stands which of
    these it is.
    """
    rows = figure_table(content, families.load(content, "hardware").sources)
    parts: dict[tuple[str, str], list[Figure]] = {}
    for row in rows:
        unit = row.key.split(".")[1] if row.key.startswith(_UNITS) else ""
        parts.setdefault((row.group or "Device", unit), []).append(row)
    return tuple(_group(content, title, unit, found) for (title, unit), found in parts.items())


def units_of(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the units of a document; none where its kind of hardware has none."""
    return tuple(content["units"]) if isinstance(content.get("units"), Mapping) else ()


def _group(content: Mapping[str, Any], title: str, unit: str, rows: Sequence[Figure]) -> ValueGroup:
    counted = Counter(row.source for row in rows)
    usual, count = counted.most_common(1)[0]
    usual = usual if count > 1 or len(rows) == 1 else ""
    others = tuple(source for source in counted if source != usual)
    specs = tuple(
        FieldSpec(
            row.key.replace(".", SEPARATOR), _title(row.title, unit), "text", None, unit=row.unit,
            help="" if row.source == usual else f"Source {others.index(row.source) + 1}",
        )
        for row in rows
    )  # fmt: skip
    values = {spec.name: in_words(at(content, row.key)) for spec, row in zip(specs, rows, strict=True)}
    return ValueGroup(f"Unit {unit}" if unit else title, specs, values, usual, others, unit)


def _title(words: str, unit: str) -> str:
    """Return the title of a figure without the unit's name, which its part has."""
    short = (
        words[len(unit) :].removeprefix(", ") if unit and words.lower().startswith(unit.replace("_", " ")) else words
    )
    return short[:1].upper() + short[1:]


def at(content: Mapping[str, Any], key: str) -> Any:
    """Return the value at a dotted key; "" for a missing text."""
    value: Any = content
    for part in key.split("."):
        value = value.get(part, "") if isinstance(value, Mapping) else ""
    return value


def value_specs(base: Mapping[str, Any]) -> dict[str, FieldSpec]:
    """Name -> field of everything in the form."""
    figures = {spec.name: spec for group in value_groups(base) for spec in group.fields}
    return {spec.name: spec for spec in name_specs()} | figures


def built_values(base: Mapping[str, Any], raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Mistake]]:
    """Return the document that the fields describe, and what is wrong with it.

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
        families.check(content, "hardware")
    except ProblemError as error:
        mistakes.extend(mistakes_of(error))
    return content, mistakes


def value_lines(base: Mapping[str, Any], names: list[str], mistakes: list[Mistake]) -> dict[str, tuple[str, bool]]:
    """Return name of a field -> the line under it, and whether that is a mistake; one within a list is the list's."""
    specs = value_specs(base)
    lines = {}
    for name in names:
        key = name.replace(SEPARATOR, ".")
        wrong = next((each.words for each in mistakes if f"{each.key}.".startswith(f"{key}.")), "")
        lines[name] = (wrong or help_text(specs[name]), bool(wrong))
    return lines
